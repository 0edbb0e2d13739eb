/**
 * E-mails in Arabic. No sentence needs the gender of a person; sentences begin with an Arabic
 * letter, which decides their direction (UAX 9, P2).
 */
import { COPY_DAYS } from '../../core/service-limits.ts'
import type { MailTexts } from '../en/mail.ts'
import { apart } from './messages.ts'

const quoted = (title: string) => `«${apart(title)}»`

export const mail: MailTexts = {
  greeting: name => `مرحبًا ${apart(name)}،`,
  messageFrom: name => `رسالة من ${apart(name)}:`,
  reasonGiven: 'السبب المذكور:',
  open: 'فتح المستند',
  opens: {
    signer: 'يفتح الرابط المستند في متصفح الويب لديك. وهناك يمكنك قراءته ثم التوقيع أو الرفض. ولا حاجة إلى حساب أو كلمة مرور.',
    approver: 'يفتح الرابط المستند في متصفح الويب لديك. وهناك يمكنك قراءته ثم الموافقة أو الرفض. ولا حاجة إلى حساب أو كلمة مرور.',
    viewer: 'يفتح الرابط المستند في متصفح الويب لديك لقراءته. ولا حاجة إلى حساب أو كلمة مرور.',
  },
  linkHint: 'إذا لم يعمل الزر، فيُرجى فتح هذا العنوان في متصفح الويب:',
  doBy: time => `يُرجى القيام بذلك في موعد أقصاه ${time}.`,
  handedOverBy: name => `وُجّه هذا الطلب أولًا إلى ${apart(name)}، ثم أُحيل إليك.`,
  forYouAlone: 'الرابط لك وحدك: يُرجى عدم تمريره إلى غيرك.',
  invitation: {
    subject: {
      signer: title => `يُرجى التوقيع: ${title}`,
      approver: title => `تُرجى الموافقة: ${title}`,
      viewer: title => `تُرجى القراءة: ${title}`,
    },
    asks: {
      signer: (organisation, title) => `ورد إليك من ${apart(organisation)} طلب لتوقيع المستند ${quoted(title)}.`,
      approver: (organisation, title) => `ورد إليك من ${apart(organisation)} طلب للموافقة على المستند ${quoted(title)}.`,
      viewer: (organisation, title) => `ورد إليك من ${apart(organisation)} طلب لقراءة المستند ${quoted(title)}.`,
    },
  },
  reminder: {
    subject: {
      signer: title => `تذكير بالتوقيع: ${title}`,
      approver: title => `تذكير بالموافقة: ${title}`,
      viewer: title => `تذكير بالقراءة: ${title}`,
    },
    waits: {
      signer: (organisation, title) => `لا يزال المستند ${quoted(title)} الوارد من ${apart(organisation)} بانتظار توقيعك.`,
      approver: (organisation, title) => `لا يزال المستند ${quoted(title)} الوارد من ${apart(organisation)} بانتظار موافقتك.`,
      viewer: (organisation, title) => `لا يزال المستند ${quoted(title)} الوارد من ${apart(organisation)} بانتظار قراءتك.`,
    },
  },
  completed: {
    subject: title => `اكتمل: ${title}`,
    everyone: title => `أنهى الجميع ما عليهم في المستند ${quoted(title)}. والمستند مختوم الآن.`,
    sealMeans: 'يحمي الختم الإلكتروني المستند، بحيث يمكن كشف أي تغيير لاحق. وتبيّن شهادة التدقيق في آخر المستند من وقّع ومتى.',
    attached: 'ملف PDF المختوم مرفق. يُرجى الاحتفاظ به.',
    tooLarge: 'ملف PDF المختوم أكبر من أن يُرسل بالبريد الإلكتروني: يُرجى تنزيله من الرابط.',
    thirtyDays: `يمكنك تنزيله من الرابط لمدة ${COPY_DAYS} يومًا.`,
    open: 'فتح المستند المختوم',
  },
  receipt: {
    subject: title => `إيصالك: ${title}`,
    signed: title => `وقّعت المستند ${quoted(title)}.`,
    approved: title => `اعتمدت المستند ${quoted(title)}.`,
    attached:
      'الإيصال مرفق، وهو ملف ينتهي اسمه بـ «.eml». ويُثبت ما أكّدته ومتى. يُرجى الاحتفاظ به، إذ يمكن التحقق منه دون هذه الخدمة.',
    whenAll: 'يصلك المستند المختوم عندما ينتهي الجميع.',
  },
  declined: {
    subject: title => `رُفض: ${title}`,
    has: (name, title) =>
      `رُفض المستند ${quoted(title)} من جانب ${name === undefined ? 'أحد الأطراف' : apart(name)}. ولم يعد على أحد توقيعه.`,
  },
  voided: {
    subject: title => `أُلغي: ${title}`,
    toSender: title => `أُلغي المستند ${quoted(title)}.`,
    toRecipient: (organisation, title) => `أُلغي المستند ${quoted(title)} من جانب ${apart(organisation)}. ولم يعد مطلوبًا منك شيء.`,
  },
  expired: {
    subject: title => `انتهت المهلة: ${title}`,
    inTime: title => `لم يوقّع الجميع المستند ${quoted(title)} في الوقت المحدد، فانتهت مهلته. ولم تعد روابطه تعمل.`,
    ask: whom => `إذا كان المستند لا يزال مطلوبًا، فيُرجى التواصل مع ${apart(whom)}.`,
  },
  finishedBefore: {
    signed: 'سُجّل توقيعك على هذا المستند، لكنه لن يُستكمل ولن يُختم.',
    approved: 'سُجّلت موافقتك على هذا المستند، لكنه لن يُستكمل ولن يُختم.',
  },
  delegated: {
    subject: title => `أُحيل إلى شخص آخر: ${title}`,
    has: (from, to, title) =>
      `أُحيل المستند ${quoted(title)} من ${apart(from)} إلى ${apart(to)}. ولم يعد الرابط الأول يعمل، وأُرسل رابط جديد بالبريد الإلكتروني إلى ${apart(to)}.`,
    notMeant: 'إذا لم يناسبك ذلك، يمكنك إلغاء المستند.',
  },
  linkRequested: {
    subject: title => `طلب رابط جديد: ${title}`,
    has: (name, title) => `فتح ${apart(name)} رابط المستند ${quoted(title)} الذي انتهت مهلته، ويطلب رابطًا جديدًا.`,
    whatToDo: 'يمكن تكرار المستند في صفحته وإرساله مرة أخرى.',
  },
  oneTimeCode: {
    subject: organisation => `رمزك للمستند المرسل من ${organisation}`,
    is: code => `رمزك هو \u2066${code}\u2069`,
    minutes: minutes => `أدخله في الصفحة التي طلبته فيها. وهو صالح لمدة ${minutes} دقائق، وفي ذلك المتصفح وحده.`,
    tellNobody:
      'لا تخبر أحدًا بهذا الرمز، ولا حتى المرسل. إن لم تكن قد طلبته، فيمكنك تجاهل هذه الرسالة: لا يستطيع أحد فتح المستند من دون الرمز.',
  },
  codeLocked: {
    subject: title => `محاولات خاطئة كثيرة للرمز: ${title}`,
    has: (name, title) =>
      `أُدخل رمز خاطئ للمستند ${quoted(title)} مرات كثيرة عبر الرابط الخاص بالطرف ${apart(name)}. ولم تعد تُقبل أي محاولة أخرى.`,
    whatToDo: {
      accessCode:
        'يُرجى سؤال هذا الشخص هل كانت المحاولات منه. فإن كانت منه، فيُرجى إبلاغه برمز الدخول مرة أخرى وإلغاء قفله في صفحة المستند: فذلك يتيح محاولات جديدة.',
      oneTimeCode:
        'يُرجى سؤال هذا الشخص هل كانت المحاولات منه. فإن كانت منه، فيُرجى إلغاء قفل المستند له في صفحته: عندئذٍ يمكن طلب رمز جديد.',
      signingLink:
        'يُرجى سؤال هذا الشخص هل كانت المحاولات منه. فإن كانت منه، فيُرجى إبلاغه برمز الدخول مرة أخرى. وبعد ساعة من آخر محاولة يتيح رابط توقيع جديد محاولات أخرى.',
    },
  },
  mailFailed: {
    subject: title => `تعذّر تسليم البريد: ${title}`,
    has: (name, title) => `تعذّر تسليم البريد الإلكتروني الموجَّه إلى ${apart(name)} بشأن ${quoted(title)}، ولن تجري محاولة أخرى.`,
    answer: 'رد خادم البريد:',
    whatToDo: 'يُرجى التحقق من العنوان. وإذا كان خطأً، فصحّحه في صفحة المستند: عندئذٍ تُرسل الرسالة من جديد.',
  },
  sealingFailed: {
    subject: title => `لم يُختم بعد: ${title}`,
    has: title =>
      `أنهى الجميع ما عليهم في المستند ${quoted(title)}، لكن تعذّر ختم المستند حتى الآن. لا يلزم أحدًا أن يوقّع مرة أخرى، فالخدمة تعيد المحاولة من تلقاء نفسها.`,
    cause: 'السبب:',
  },
  foot: {
    sentFor: organisation => `أُرسلت هذه الرسالة باسم ${apart(organisation)} عبر Signet، خدمة توقيع المستندات لديها.`,
    sent: 'أُرسلت هذه الرسالة عبر Signet، وهي خدمة لتوقيع المستندات.',
    linksLead: host => `الروابط في هذه الرسالة تؤدي إلى ${apart(host)} وحده.`,
    questions: whom => `هل لديك أسئلة؟ يمكنك الرد على هذه الرسالة أو الكتابة إلى ${apart(whom)}.`,
    notBinding: environment =>
      `هذه الرسالة من البيئة «${apart(environment)}»، وهي ليست للاستعمال الفعلي. لا يُقصد بأي شيء يُوقَّع فيها إلزام أحد.`,
  },
  sample: {
    document: 'عقد خدمات',
    message: 'هذا هو العقد الذي تحدثنا عنه.',
  },
}
