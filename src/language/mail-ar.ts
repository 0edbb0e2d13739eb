/** Arabic: the mails. No sentence needs the gender of a person; sentences begin with an Arabic letter, which decides their direction (UAX 9, P2). */
import type { MailWords } from './mail-en.ts'

/** In the direction of its own letters, so that its full stops and brackets stay with it in plain text: FIRST STRONG ISOLATE … (UAX 9, 2.4). */
const apart = (text: string) => `\u2068${text}\u2069`

const quoted = (title: string) => `«${apart(title)}»`

export const mailAr: MailWords = {
  greeting: name => `مرحبًا ${apart(name)}،`,
  theirMessage: 'رسالة المرسل إليك:',
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
      `أنهى الجميع ما عليهم في المستند ${quoted(title)}. والمستند مختوم الآن بتوقيع رقمي، بحيث يمكن كشف أي تغيير لاحق. وتبيّن صفحاته الأخيرة من وقّع ومتى.`,
    attached: 'ملف PDF المختوم مرفق. يُرجى الاحتفاظ به.',
    tooLarge: 'ملف PDF المختوم أكبر من أن يُرسل بالبريد: يُرجى تنزيله بالرابط أدناه.',
    thirtyDays: 'يمكنك تنزيله بالرابط أدناه لمدة 30 يومًا.',
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
  handedOver: {
    subject: title => `سُلّم إلى شخص آخر: ${title}`,
    has: (from, to, title) =>
      `سُلّم المستند ${quoted(title)} من ${apart(from)} إلى ${apart(to)}. ولم يعد الرابط الأول المرسل بالبريد يعمل، وأُرسل رابط جديد بالبريد إلى الشخص الآخر.`,
    notMeant: 'إذا لم يناسبك ذلك، يمكنك إلغاء المستند.',
  },
  codeLocked: {
    subject: title => `رمز الدخول خاطئ مرات كثيرة: ${title}`,
    has: (name, title) =>
      `أُدخل رمز الدخول إلى المستند ${quoted(title)} خطأً مرات كثيرة عبر الرابط الخاص بالطرف ${apart(name)}. ولم تعد تُقبل أي محاولة أخرى.`,
    whatToDo:
      'يُرجى سؤال هذا الشخص هل كانت المحاولات منه. فإن كانت منه، فيُرجى إبلاغه الرمز مرة أخرى وتذكيره بالمستند: فذلك يتيح محاولات جديدة.',
  },
  foot: {
    sentFor: organisation => `أُرسل هذا البريد عبر Signet باسم ${apart(organisation)}.`,
    questions: contact => `هل لديك أسئلة؟ للاتصال: ${apart(contact)}.`,
    notBinding: environment => `هذا البريد من البيئة «${apart(environment)}»: لا يُقصد بأي شيء يُوقَّع هنا إلزام أحد.`,
  },
}
