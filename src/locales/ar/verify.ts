/** Texts of the page that verifies a PDF, in Arabic. */
import type { VerifyTexts } from '../verify.ts'
import { apart } from './messages.ts'

const UNCHANGED = 'لم يُعدَّل هذا الملف منذ توقيعه أو ختمه'
const CHANGED = 'عُدّل هذا الملف بعد توقيعه أو ختمه، لكن على النحو الذي يسمح به مُعدّه فقط'
/** What became of the file since. */
const since = (isChanged: boolean): string => (isChanged ? CHANGED : UNCHANGED)
const ASK = 'يُرجى سؤال المرسِل عما إذا كان الملف أصليًا، على رقم هاتف أو عنوان معروف لديك من قبل.'

export const verify: VerifyTexts = {
  title: 'التحقق من ملف PDF موقّع',
  lead: 'هنا يمكن معرفة ما إذا كان ملف PDF قد عُدّل بعد توقيعه أو ختمه، ومن وقّعه.',
  file: 'ملف PDF',
  choose: 'اختيار ملف',
  drop: 'أو إفلاته هنا',
  notKept: organisation => `تتحقق ${apart(organisation)} من الملف ولا تحتفظ به.`,
  submit: 'تحقق',
  another: 'التحقق من ملف آخر',
  languages: 'اللغات',
  documentTitle: 'المستند',
  fileName: 'الملف',
  sealedBy: 'الجهة الخاتمة',
  people: 'من وقّع',
  signedOn: time => `وقّع في ${apart(time)}`,
  approvedOn: time => `وافق في ${apart(time)}`,
  fromRecord: 'الأسماء والأوقات من سجلات هذه الخدمة، وتَرِد أيضًا في شهادة التدقيق في آخر الملف.',
  isInRecord: ({ sealer, time }) =>
    `تتضمن سجلات هذه الخدمة هذا الملف بعينه: ختمته ${apart(sealer)} في ${apart(time)}، ولم يُعدَّل منذ ذلك الحين.`,
  quoted: name => `«${apart(name)}»`,
  verdicts: {
    validHere: {
      heading: 'صالح',
      sentence: ({ sealer, time }) => `هذا هو الملف الذي ختمته ${apart(sealer)} في ${apart(time)} بعينه.`,
      advice: [],
    },
    valid: {
      heading: 'صالح',
      sentence: ({ sealer }) => `لم يُعدَّل هذا الملف منذ أن ختمته ${apart(sealer)}.`,
      advice: [
        'ليس لدى هذه الخدمة سجل لهذا الملف، أو لم يعد لديها: تُحذف السجلات عند انتهاء مدة حفظها. وتبيّن شهادة التدقيق في آخر الملف من وقّع ومتى.',
      ],
    },
    validChanged: {
      heading: 'صالح عند توقيعه ثم عُدّل',
      sentence: ({ signer }) => `وُقّع هذا الملف توقيعًا صالحًا (${signer}) ثم عُدّل تعديلًا ظاهرًا على النحو الذي يسمح به مُعدّه.`,
      advice: ['يُرجى قراءة كل تعديل في القائمة: من وقّع قبله لم يوقّع عليه.'],
    },
    notValid: {
      heading: 'غير صالح',
      sentence: () => 'عُدّل هذا الملف بعد توقيعه أو ختمه، أو أن فيه توقيعًا غير أصلي.',
      advice: ['لا يُعوَّل على هذا الملف. يُرجى طلب الأصل من المرسِل.'],
    },
    notChecked: {
      heading: 'لم يُتحقق منه',
      sentence: () => 'لا يمكن هنا التحقق من توقيع في هذا الملف، أو أن طريقته ضعيفة جدًا.',
      advice: ['لا يعني ذلك أن الملف قد عُدّل. وقد يستطيع برنامج آخر التحقق منه: تبيّن التفاصيل التقنية سبب تعذّر ذلك هنا.'],
    },
    unreadable: {
      heading: 'تتعذّر قراءته',
      sentence: () => 'هذا الملف ليس ملف PDF، أو أنه تالف، أو لا يُفتح إلا بكلمة مرور.',
      advice: [
        'يُرجى تنزيل الملف من جديد أو طلب إرساله مرة أخرى من المرسِل. وإن كان لا يُفتح إلا بكلمة مرور، فيُرجى طلب الأصل من دونها.',
      ],
    },
    unknown: {
      heading: 'لم يُعدَّل، لكن مصدره غير معروف',
      sentence: ({ signer, isChanged }) => `${since(isChanged)}، لكن لا يُعرف هنا ما إذا كان صادرًا حقًا عن ${signer}.`,
      advice: [
        'يستطيع أي شخص إنشاء شهادة بأي اسم.',
        'إذا ذكرت شهادة التدقيق في آخر الملف عنوان خدمة أخرى، فيُرجى التحقق من الملف هناك، شرط معرفة صاحب ذلك العنوان.',
        'أو يُرجى طلب بصمة الشهادة من المرسِل، على رقم هاتف معروف لديك من قبل، ومقارنتها بالبصمة الواردة في التفاصيل التقنية.',
      ],
    },
    revoked: {
      heading: 'لم يُعدَّل، لكن الشهادة أُلغيت',
      sentence: ({ signer, isChanged }) => `${since(isChanged)}، لكن شهادة ${signer} أُلغيت، ولا شيء يثبت أنها كانت سارية حينها.`,
      advice: [ASK],
    },
    expired: {
      heading: 'لم يُعدَّل، لكن الشهادة انتهت صلاحيتها',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}، لكن شهادة ${signer} انتهت صلاحيتها، ولا يوجد طابع زمني موثوق يثبت أنها كانت سارية حينها.`,
      advice: [ASK],
    },
    notSigned: {
      heading: 'غير موقّع',
      sentence: () => 'لا يحتوي هذا الملف على توقيع إلكتروني ولا على ختم: لا شيء يبيّن من أعدّه ولا ما إذا كان قد عُدّل.',
      advice: [
        'لا تحمي الملفَّ صورةُ توقيع ولا صفحةٌ تشبه شهادة التدقيق. والنسخة المطبوعة أو الممسوحة ضوئيًا أو المحفوظة من جديد فقدت ختمها: يُرجى طلب الملف المختوم نفسه من المرسِل.',
      ],
    },
    onlyTimestamped: {
      heading: 'غير موقّع، يحمل طابعًا زمنيًا فقط',
      sentence: () => 'يبيّن الطابع الزمني متى كان هذا الملف موجودًا، لكنه لا يبيّن من أعدّه.',
      advice: [],
    },
  },
  changes: {
    heading: 'التعديلات بعد التوقيع',
    field: (name, before, after) => `الحقل ${apart(name)}: كان ${apart(before)} وأصبح ${apart(after)}`,
    comment: type => `تعليق (${apart(type)})`,
    signature: name => `توقيع ظاهر ${apart(name)}`,
    property: (name, before, after) => `خاصية المستند ${apart(name)}: كانت ${apart(before)} وأصبحت ${apart(after)}`,
    empty: 'فارغًا',
    page: n => `الصفحة ${n}`,
    noPage: 'ليس في أي صفحة',
  },
  details: {
    heading: 'تفاصيل تقنية',
    sha256: 'بصمة الملف (SHA-256)',
    remarks: 'ملاحظات',
    additions: 'تعديلات لاحقة مسموح بها',
    signature: n => `التوقيع أو الختم ${n}`,
    timestamp: n => `الطابع الزمني للمستند ${n}`,
    name: 'الاسم في الشهادة',
    unknown: 'غير معروف',
    content: 'المحتوى الموقّع',
    certificate: 'الشهادة',
    time: 'الطابع الزمني',
    timeBy: (time, authority) => `${apart(time)}، من ${apart(authority)}`,
    untrustedTimeBy: (time, authority) => `${apart(time)}، من ${apart(authority)}، غير موثوق هنا`,
    claimedTime: 'الوقت المذكور في التوقيع، من دون إثبات',
    fingerprint: 'بصمة الشهادة (SHA-256)',
    result: 'النتيجة (ETSI EN 319 102-1)',
    level: 'المستوى',
    noLevel: 'ليس توقيعًا أساسيًا وفق PAdES',
    field: 'الحقل',
    none: 'لا يوجد',
    integrity: {
      intact: 'لم يُعدَّل',
      broken: 'عُدّل، أو ليس المحتوى الذي وُقّع',
      'not-checked': 'تعذّر التحقق منه',
    },
    trust: { trusted: 'موثوقة هنا', unknown: 'غير موثوقة هنا', revoked: 'أُلغيت', expired: 'انتهت صلاحيتها' },
    certificates: 'شهادات هذه الخدمة، للتحقق من ملفاتها من دون شبكة',
    otherPrograms:
      'قد تعرض برامج أخرى شيئًا مختلفًا. يقول Firefox عن كل توقيع بصيغة PAdES إنه تعذّر التحقق منه، لأنه لا يعرف هذه الصيغة. ويعدّ Acrobat الموقّع غير معروف إلى أن تُعطى له الشهادة. ولا يدل أي منهما على خلل في الملف.',
  },
}
