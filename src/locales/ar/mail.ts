/**
 * E-mails in Arabic. No sentence needs the gender of a person; sentences begin with an Arabic
 * letter, which decides their direction (UAX 9, P2).
 */
import type { MailTexts } from '../en/mail.ts'
import { apart } from './messages.ts'

const quoted = (title: string) => `«${apart(title)}»`

export const mail: MailTexts = {
  greeting: name => `مرحبًا ${apart(name)}،`,
  theirMessage: 'رسالة من المرسل:',
  reasonGiven: 'السبب المذكور:',
  open: 'فتح المستند',
  noAccount: 'يفتح الرابط المستند في متصفح الويب لديك. ولا حاجة إلى حساب.',
  doBy: time => `يُرجى القيام بذلك في موعد أقصاه ${time}.`,
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
    everyone: title =>
      `أنهى الجميع ما عليهم في المستند ${quoted(title)}. والمستند مختوم الآن بختم إلكتروني، بحيث يمكن كشف أي تغيير لاحق. وتبيّن شهادة التدقيق في آخر المستند من وقّع ومتى.`,
    attached: 'ملف PDF المختوم مرفق. يُرجى الاحتفاظ به.',
    tooLarge: 'ملف PDF المختوم أكبر من أن يُرسل بالبريد الإلكتروني: يُرجى تنزيله من الرابط أدناه.',
    thirtyDays: 'يمكنك تنزيله من الرابط أدناه لمدة 30 يومًا.',
    open: 'فتح المستند المختوم',
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
    ask: whom => `إذا بقيت لديك رغبة في التوقيع، فيُرجى التواصل مع ${apart(whom)}.`,
  },
  delegated: {
    subject: title => `أُحيل إلى شخص آخر: ${title}`,
    has: (from, to, title) =>
      `أُحيل المستند ${quoted(title)} من ${apart(from)} إلى ${apart(to)}. ولم يعد الرابط الأول يعمل، وأُرسل رابط جديد بالبريد الإلكتروني إلى ${apart(to)}.`,
    notMeant: 'إذا لم يناسبك ذلك، يمكنك إلغاء المستند.',
  },
  codeLocked: {
    subject: title => `محاولات خاطئة كثيرة لرمز الدخول: ${title}`,
    has: (name, title) =>
      `أُدخل رمز الدخول إلى المستند ${quoted(title)} خطأً مرات كثيرة عبر الرابط الخاص بالطرف ${apart(name)}. ولم تعد تُقبل أي محاولة أخرى.`,
    whatToDo:
      'يُرجى سؤال هذا الشخص هل كانت المحاولات منه. فإن كانت منه، فيُرجى إبلاغه بالرمز مرة أخرى وتذكيره بالمستند: فذلك يتيح محاولات جديدة.',
  },
  mailFailed: {
    subject: title => `تعذّر تسليم البريد: ${title}`,
    has: (name, title) => `تعذّر تسليم البريد الإلكتروني الموجَّه إلى ${name} بشأن «${title}»، ولن تجري محاولة أخرى.`,
    answer: 'رد خادم البريد:',
    whatToDo: 'يُرجى التحقق من العنوان. فإن كان خاطئًا، فاسحب المستند وأرسله مرة أخرى إلى العنوان الصحيح.',
  },
  sealingFailed: {
    subject: title => `لم يُختم بعد: ${title}`,
    has: title =>
      `انتهى الجميع من «${title}»، لكن تعذّر ختم المستند حتى الآن. لا يلزم أحدًا أن يوقّع مرة أخرى، فالخدمة تعيد المحاولة من تلقاء نفسها.`,
    cause: 'السبب:',
  },
  foot: {
    sentFor: organisation => `أُرسلت هذه الرسالة عبر Signet باسم ${apart(organisation)}.`,
    questions: contact => `هل لديك أسئلة؟ للاستفسار: ${apart(contact)}.`,
    notBinding: environment =>
      `هذه الرسالة من البيئة «${apart(environment)}»، وهي ليست للاستعمال الفعلي. لا يُقصد بأي شيء يُوقَّع فيها إلزام أحد.`,
  },
}
