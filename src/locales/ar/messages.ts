/** Refusals and validation errors in Arabic. No sentence needs the gender of the reader. */
import type { PublicStatus } from '../../core/document/document.ts'
import type { FieldType } from '../../core/field/field.ts'
import { fileSize } from '../../core/field/number.ts'
import { CODE_MINUTES, COPY_DAYS, LINK_MINUTES } from '../../core/service-limits.ts'
import type { MessageCatalogue, NamedField } from '../../core/signing/message.ts'

export const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'التوقيع',
  initials: 'الأحرف الأولى',
  date: 'التاريخ',
  name: 'الاسم',
  email: 'البريد الإلكتروني',
  text: 'النص',
  checkbox: 'خانة الاختيار',
  dropdown: 'الاختيار',
  number: 'العدد',
  paragraph: 'فقرة',
  radio: 'الاختيار',
  image: 'صورة',
  attachment: 'مرفق',
}

/**
 * In the direction of its own letters, so that its full stops and brackets stay with it: FIRST
 * STRONG ISOLATE … (UAX 9, 2.4).
 */
export const apart = (text: string) => `\u2068${text}\u2069`

const name = ({ label, type }: NamedField) => (label === undefined ? FIELD_NAMES[type] : apart(label))

const RULES = new Intl.PluralRules('ar')

/**
 * A counted noun: where its form tells the number, the form alone; else the form behind the number.
 */
export interface NounForms {
  one: string
  two: string
  /** 3 to 10: plural in the genitive. */
  few: string
  /** 11 to 99: singular in the accusative. */
  many: string
  /** 0, and 100 to 102 of every hundred: singular in the genitive. */
  other: string
}

export function counted(count: number, noun: NounForms): string {
  const category = RULES.select(count)
  if (category === 'one' || category === 'two') return noun[category]
  return `${count} ${noun[category === 'zero' ? 'other' : category]}`
}

const CHARACTERS: NounForms = {
  one: 'حرف واحد',
  two: 'حرفين',
  few: 'أحرف',
  many: 'حرفًا',
  other: 'حرف',
}

const TRIES: NounForms = {
  one: 'محاولة واحدة',
  two: 'محاولتان',
  few: 'محاولات',
  many: 'محاولة',
  other: 'محاولة',
}

export const SECONDS: NounForms = {
  one: 'ثانية واحدة',
  two: 'ثانيتين',
  few: 'ثوانٍ',
  many: 'ثانية',
  other: 'ثانية',
}

const atMost = (most: number) => `يُرجى ألا يزيد النص على ${counted(most, CHARACTERS)}`

const NOT_OPEN = {
  draft: 'المستند ما زال مسودة: لا يمكن توقيعه.',
  sent: 'لا يمكن توقيع المستند.',
  sealing: 'يجري ختم المستند: لم يعد توقيعه ممكنًا.',
  completed: 'اكتمل المستند: لم يعد توقيعه ممكنًا.',
  declined: 'رُفض المستند: لم يعد توقيعه ممكنًا.',
  voided: 'أُلغي المستند: لم يعد توقيعه ممكنًا.',
  expired: 'انتهت مهلة المستند: لم يعد توقيعه ممكنًا.',
} satisfies Record<PublicStatus, string> as Record<string, string>

const size = (bytes: number) => fileSize(bytes, 'ar')

export const messages: MessageCatalogue = {
  required: field => `${name(field)}: تُرجى تعبئة هذا الحقل`,
  tooLong: (field, most) => `${name(field)}: ${atMost(most)}`,
  tooLongForPlace: (field, about) => `${name(field)}: هذا أطول من المكان المخصص له في المستند. ${atMost(about)} تقريبًا`,
  notAChoice: (field, options) => `${name(field)}: يُرجى اختيار أحد هذه الخيارات: ${options.map(apart).join('، ')}`,
  notANumber: field => `${name(field)}: يُرجى إدخال عدد مثل 1250 أو 12.50`,
  numberUnclear: (field, larger, smaller) => `${name(field)}: قد يكون هذا عددين. يُرجى إدخال ${larger} أو ${smaller}`,
  tooSmall: (field, min) => `${name(field)}: يُرجى إدخال ${min} على الأقل`,
  tooLarge: (field, max) => `${name(field)}: يُرجى إدخال ${max} على الأكثر`,
  notADate: field => `${name(field)}: يُرجى إدخال تاريخ مثل 2026-12-31`,
  notAnEmail: field => `${name(field)}: يُرجى إدخال عنوان بريد إلكتروني مثل ${apart('ada@example.com')}`,
  notTrueOrFalse: field => `${name(field)}: يجب أن تكون القيمة «true» أو «false»`,
  tickRequired: field => `${name(field)}: يُرجى تحديد الخانة`,
  fileMissing: field => `${name(field)}: يُرجى اختيار ملف`,
  fileEmpty: field => `${name(field)}: هذا الملف فارغ. يُرجى اختيار ملف آخر`,
  fileTooLarge: (field, max) => `${name(field)}: هذا الملف كبير جدًا. يُرجى اختيار ملف لا يزيد حجمه على ${size(max)}`,
  fileWrongType: (field, types) => `${name(field)}: يُرجى اختيار ملف من أحد هذه الأنواع: ${types.map(apart).join('، ')}`,
  fileUnreadable: (field, type) =>
    `${name(field)}: هذا الملف من نوع ${apart(type)} تالف أو غير مكتمل. يُرجى اختيار ملف آخر أو حفظه من جديد`,
  fileNeedsPassword: field => `${name(field)}: لا يُفتح ملف PDF هذا إلا بكلمة مرور. يُرجى اختيار ملف بلا كلمة مرور`,
  fileTooManyPixels: (field, megapixels) =>
    `${name(field)}: هذه الصورة كبيرة جدًا. يُرجى اختيار صورة لا تزيد على ${megapixels} ميغابكسل`,
  fileTooComplex: field => `${name(field)}: تستغرق قراءة هذا الملف وقتًا طويلًا. يُرجى اختيار ملف آخر أو طباعته إلى ملف PDF جديد`,
  tooManyFiles: () => 'أُرسلت ملفات كثيرة جدًا في وقت قصير. يُرجى الانتظار دقيقة ثم المحاولة من جديد.',
  fileChanged: field => `${name(field)}: تغيّر هذا الملف في نافذة أخرى. يُرجى التحقق منه ثم الإنهاء من جديد`,
  filesTooLarge: (field, max) => `${name(field)}: يزيد حجم ملفاتك معًا على ${size(max)}. يُرجى إزالة أحدها أو اختيار ملف أصغر`,
  unprintable: characters => `في النص المُدخل أحرف لا تمكن طباعتها: ${apart(characters)}. يُرجى حذفها أو استبدالها.`,
  consentMissing: () => 'تُرجى الموافقة بتحديد الخانة.',
  deviceKeyMissing: () => 'يطلب منك المرسل أن توقّع أيضًا بمفتاح من جهازك. يُرجى التوقيع من جديد واستخدامه.',
  deviceKeyImpossible: () =>
    'يطلب المرسل مفتاحًا من جهازك لا تستطيع هذه الخدمة استخدامه: عنوانها ليس اسمًا عبر https. يُرجى إبلاغ المرسل.',
  deviceKeyWrong: () => 'توقيع جهازك لا يطابق: تغيّر المستند أو ما أدخلته أو الوقت منذ ذلك الحين. يُرجى استخدام المفتاح مرة أخرى.',
  signatureMissing: () => 'تُرجى كتابة اسمك الكامل بوصفه توقيعك.',
  initialsMissing: () => 'تُرجى كتابة الأحرف الأولى من اسمك.',
  drawingMissing: () => 'الرسم فارغ. يُرجى الرسم أو اختيار طريقة أخرى.',
  drawingUnreadable: () => 'تعذّرت قراءة الرسم. يُرجى الرسم مرة أخرى.',
  pictureMissing: () => 'يُرجى اختيار صورة أو طريقة أخرى.',
  pictureUnreadable: () => 'لا يمكن قراءة هذا الملف كصورة PNG. يُرجى اختيار ملف PNG، أو أخذ لقطة شاشة للصورة.',
  pictureTooLarge: (megabytes, megapixels) =>
    `هذه الصورة كبيرة جدًا. يُرجى اختيار صورة لا يزيد حجمها على ${megabytes} ميغابايت و${megapixels} ميغابكسل.`,
  pictureEmpty: () => 'لم يُعثر في هذه الصورة على حبر. يُرجى التصوير مرة أخرى عن قرب، على ورق أبيض وفي إضاءة جيدة.',
  markTooLong: most => `${atMost(most)}.`,
  documentChanged: () => 'المستند ليس هو المستند الذي عرضته عليك هذه الصفحة. تُرجى إعادة تحميل الصفحة.',
  consentChanged: () => 'تغيّر في هذه الأثناء النص الذي وافقت عليه. تُرجى إعادة تحميل الصفحة وقراءته مرة أخرى.',
  receiptLater: () => 'لا يمكن إنشاء الإيصال في الوقت الحالي. يُرجى المحاولة لاحقًا.',
  notOpened: () => 'يُرجى فتح المستند قبل الإنهاء.',
  signingPeriodOver: () => 'انتهت مهلة توقيع هذا المستند.',
  nothingForViewers: () => 'تصلك نسخة من هذا المستند؛ وليس عليك توقيع شيء.',
  notOpen: status => NOT_OPEN[status] ?? 'لا يمكن توقيع المستند.',
  reasonMissing: () => 'يُرجى ذكر سبب الرفض في كلمات قليلة.',
  reasonTooLong: most => `${atMost(most)}.`,
  nothingToDecline: () => 'لم يبق لك في هذا المستند ما يمكن رفضه.',
  nameMissing: () => 'يُرجى إدخال اسم الشخص الذي سيُحال إليه المستند.',
  addressWrong: () => `يُرجى إدخال عنوان بريد إلكتروني مثل ${apart('ada@example.com')}.`,
  sameAddress: () => 'هذا عنوانك أنت. يُرجى إدخال عنوان شخص آخر.',
  addressInUse: () => 'هذا الشخص من موقّعي هذا المستند أصلًا. يُرجى تحديد شخص آخر.',
  delegationForbidden: () => 'لا يسمح المرسل بإحالة هذا المستند إلى غيرك. يمكنك التوقيع، أو الرفض مع ذكر السبب.',
  nothingToDelegate: () => 'لم يبق لك في هذا المستند ما تمكن إحالته إلى غيرك.',
  delegatedOften: () =>
    'أُحيل هذا المستند اليوم مرات كثيرة جدًا. يُرجى المحاولة من جديد غدًا، أو أن تطلب من المرسل تسمية الشخص المناسب.',
  linkUnknown: () => 'هذا الرابط غير صالح. يُرجى استعمال الرابط الوارد في آخر رسالة، أو سؤال الشخص الذي أرسله إليك.',
  linkReplaced: () => 'حلّ محل هذا الرابط رابط أحدث منه. يُرجى استعمال الرابط الوارد في آخر رسالة.',
  linkReaddressed: () =>
    'لم يعد هذا الرابط يعمل: غيّر المرسل الشخص الذي يُوجَّه إليه. إذا كنت لا تزال تنتظر المستند، فيُرجى التوجه إلى المرسل.',
  linkHandedOver: to =>
    to === undefined
      ? 'أُحيل هذا المستند إلى شخص آخر. ولم يعد هذا الرابط يعمل، ولم يبق هنا شيء لفعله.'
      : `لقد أحلت هذا المستند إلى ${apart(to)}. ولم يعد رابطك يعمل، ولم يبق عليك فعل شيء.`,
  linkAsked: () =>
    'طُلب رابط جديد قبل قليل. يُرجى البحث في صندوق بريدك، وفي مجلد الرسائل غير المرغوبة أيضًا. ويمكنك الطلب من جديد لاحقًا.',
  senderAsked: () => 'طُلب رابط جديد من المرسل قبل قليل. ويمكنك الطلب من جديد لاحقًا.',
  linkUsed: () =>
    'لا يُفتح هذا الرابط إلا مرة واحدة وقد فُتح من قبل، أو يوجد رابط أحدث منه. يُرجى المتابعة في النافذة التي فتحته فيها، أو العودة إلى المكان الذي وجدته فيه وطلب رابط جديد هناك.',
  linkTooOld: () =>
    `انتهت صلاحية هذا الرابط: فهو صالح لمدة ${LINK_MINUTES} دقيقة. يُرجى العودة إلى المكان الذي وجدته فيه وفتح المستند من هناك.`,
  sessionOver: () => 'انتهت جلستك. يُرجى العودة إلى المكان الذي وجدت فيه الرابط وفتح المستند من هناك.',
  openByLink: () =>
    'انتهت جلستك، أو أن هذه الصفحة تخص متصفحًا آخر. يُرجى فتح المستند بالرابط الذي حصلت عليه. وإذا كان الرابط لا يُفتح إلا مرة واحدة، فيُرجى طلب رابط جديد ممن أعطاك إياه.',
  tooManyLinks: () => 'فُتحت من شبكتك روابط كثيرة غير صالحة. يُرجى الانتظار دقيقة واحدة ثم المحاولة مرة أخرى.',
  withdrawn: () => 'ألغى المرسل هذا المستند. ولم يبق شيء للتوقيع.',
  expired: () => 'انتهت مهلة توقيع هذا المستند. يُرجى التوجه إلى المرسل ليرسله مرة أخرى.',
  declined: () => 'رُفض هذا المستند. ولم يبق شيء للتوقيع.',
  copyExpired: () =>
    `اكتمل المستند قبل أكثر من ${COPY_DAYS} يومًا ولم يعد تنزيله من هنا ممكنًا. وقد أُرسلت إليك النسخة المختومة بالبريد الإلكتروني.`,
  codeMissing: () => 'يُرجى إدخال رمز الدخول.',
  codeWrong: attemptsLeft => `رمز الدخول هذا غير صحيح. بقيت لك ${counted(attemptsLeft, TRIES)}.`,
  codePause: seconds => `يُرجى الانتظار ${counted(seconds, SECONDS)} قبل تجربة رمز الدخول مرة أخرى.`,
  codeLocked: () => 'أُدخل رمز الدخول خطأً مرات كثيرة. يُرجى أن تطلب من المرسل إلغاء قفله، وبعده يمكنك المحاولة من جديد.',
  oneTimeCodeMissing: () => 'يُرجى إدخال أرقام الرمز الستة.',
  oneTimeCodeWrong: attemptsLeft => `هذا الرمز غير صحيح. بقيت لك به ${counted(attemptsLeft, TRIES)}.`,
  oneTimeCodeDead: () => 'أُدخل هذا الرمز خطأً خمس مرات ولم يعد صالحًا. يُرجى طلب رمز جديد.',
  oneTimeCodeUsed: () => 'استُخدم هذا الرمز من قبل: كل رمز صالح مرة واحدة. يُرجى طلب رمز جديد.',
  oneTimeCodeExpired: () => `انتهت صلاحية هذا الرمز: فهو صالح لمدة ${CODE_MINUTES} دقائق. يُرجى طلب رمز جديد.`,
  oneTimeCodeElsewhere: () => 'لا يوجد رمز صالح هنا طُلب في هذا المتصفح. لا يعمل الرمز إلا حيث طُلب. يُرجى طلب رمز جديد.',
  oneTimeCodeWait: seconds =>
    `يُرجى الانتظار ${seconds < 90 ? counted(seconds, SECONDS) : `${Math.ceil(seconds / 60)} دقيقة`} قبل طلب رمز آخر.`,
  oneTimeCodeLocked: () =>
    'أُدخلت رموز خاطئة مرات كثيرة. يُرجى أن تطلب من المرسل إلغاء قفل المستند لك، وبعده يمكنك المحاولة من جديد.',
  oneTimeCodeUndeliverable: () => 'لا يمكن إرسال رمز إليك الآن. يُرجى إبلاغ المرسل: عليه ربط البرنامج الذي يمرّر الرموز.',
  foreignForm: () => 'لم يُرسل هذا النموذج من صفحتنا نفسها. يُرجى الرجوع وإعادة تحميل الصفحة والمحاولة مرة أخرى.',
  busy: () => 'الخدمة مشغولة للغاية في الوقت الحالي. يُرجى المحاولة مرة أخرى بعد بضع ثوانٍ.',
  notStored: () => 'لا يمكن حفظ البيانات في الوقت الحالي. لم يُحفظ شيء. يُرجى المحاولة مرة أخرى بعد دقيقة.',
  notReachable: () => 'لا تستطيع الخدمة الوصول إلى بياناتها في الوقت الحالي. لم يُحفظ شيء. يُرجى المحاولة مرة أخرى بعد بضع ثوانٍ.',
  notConfirmed: () => 'انقطع الاتصال قبل أن تتمكن الخدمة من تأكيد التغيير. ربما حُفظ التغيير، لذا يُرجى التحقق قبل تكراره.',
}
