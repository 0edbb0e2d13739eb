/**
 * Arabic: what a person agrees to and the sentence of intent. The consent holds no isolates: its hash must be that of the text as it is printed too.
 */
import type { ActWords } from '../en/act.ts'
import { apart } from './messages.ts'

export const actAr: ActWords = {
  consent: ask => [
    'أوافق على تسلّم هذا المستند وتوقيعه والاحتفاظ به إلكترونيًا بدلًا من الورق. وأقصد بتوقيعي الإلكتروني أن يُلزمني كما يُلزمني التوقيع بخط اليد.',
    `يجوز لي أن أطلب من ${ask} نسخة ورقية أو التوقيع على الورق بدلًا من ذلك، وكلاهما بلا مقابل. ويجوز لي سحب هذه الموافقة قبل الإنهاء، وذلك برفض المستند أدناه. ولا تسري هذه الموافقة إلا على هذا المستند.`,
    'لقراءة المستند والاحتفاظ به أحتاج إلى عنوان بريد إلكتروني ومتصفح ويب وبرنامج يعرض ملفات PDF. وتُرسل إليّ بالبريد الإلكتروني نسخة من المستند المختوم عندما ينتهي الجميع.',
  ],
  failure: {
    notFound: 'غير موجود',
    notPossible: 'غير ممكن',
    over: 'لم يعد ممكنًا',
    wait: 'يُرجى الانتظار',
    ask: contact => `هل لديك أسئلة؟ للاستفسار: ${apart(contact)}.`,
  },
  intent: {
    signer: 'بالضغط على الزر أوقّع هذا المستند.',
    approver: 'بالضغط على الزر أوافق على هذا المستند.',
    viewer: 'بالضغط على الزر أؤكد أنني قرأت هذا المستند.',
  },
}
