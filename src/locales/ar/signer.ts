/** The recipient’s pages in Arabic. No sentence needs the gender of the reader. */
import type { SignerTexts } from '../catalogue.ts'
import { apart, counted, FIELD_NAMES, type NounForms, SECONDS } from './messages.ts'

const MINUTES: NounForms = {
  one: 'دقيقة واحدة',
  two: 'دقيقتين',
  few: 'دقائق',
  many: 'دقيقة',
  other: 'دقيقة',
}

const PAGES: NounForms = {
  one: 'صفحة واحدة',
  two: 'صفحتان',
  few: 'صفحات',
  many: 'صفحة',
  other: 'صفحة',
}

const waiting = (seconds: number) => (seconds < 90 ? counted(seconds, SECONDS) : counted(Math.ceil(seconds / 60), MINUTES))

/** Pages by their numbers. */
const pagesNamed = (pages: string, count: number) =>
  count === 1 ? `الصفحة ${pages}` : count === 2 ? `الصفحتان ${pages}` : `الصفحات ${pages}`

export const signer: SignerTexts = {
  skip: 'الانتقال إلى المحتوى',
  skipToForm: 'الانتقال إلى الحقول',
  greeting: name => `مرحبًا ${apart(name)}،`,
  from: organisation => `من ${apart(organisation)}`,
  questions: contact => `هل لديك أسئلة؟ للاستفسار: ${apart(contact)}.`,
  check: 'تُرجى مراجعة ما يلي:',
  required: 'مطلوب',
  optional: 'اختياري',
  onPage: page => `الصفحة ${page}`,
  notBinding: environment =>
    `هذه هي البيئة «${apart(environment)}»، وهي ليست للاستعمال الفعلي. لا يُقصد بأي شيء يُوقَّع هنا أن يُلزمك.`,
  fieldNames: FIELD_NAMES,
  failure: {
    notFound: 'غير موجود',
    notPossible: 'غير ممكن',
    over: 'لم يعد ممكنًا',
    wait: 'يُرجى الانتظار',
    ask: contact => `هل لديك أسئلة؟ للاستفسار: ${apart(contact)}.`,
  },
  finish: {
    signer: 'توقيع وإنهاء',
    approver: 'موافقة وإنهاء',
    viewer: 'إنهاء',
  },

  landing: {
    // Follows the name of the organisation, whatever its gender: the verb agrees with the noun
    // here.
    asks: {
      signer: 'هي الجهة التي تطلب منك توقيع هذا المستند.',
      approver: 'هي الجهة التي تطلب منك الموافقة على هذا المستند.',
      viewer: 'هي الجهة التي تطلب منك قراءة هذا المستند.',
    },
    ended: ['هذا هو المستند الوارد من ', '. ولم يبق عليك فعل شيء.'],
    theirMessage: 'رسالة من المرسل:',
    howItWorks: 'الخطوات كما يلي:',
    steps: button => ['قراءة المستند.', 'تعبئة الحقول ووضع التوقيع.', `الضغط على «${button}». وقبل ذلك لا شيء نهائي.`],
    noAccount: 'لا حاجة إلى حساب.',
    binds: 'يُقصد بتوقيعك الإلكتروني أن يُلزمك كما يُلزمك التوقيع بخط اليد.',
    onlyRead: 'المطلوب هو القراءة فقط، وليس هناك ما يوقَّع. ولا حاجة إلى حساب. وعندما ينتهي الجميع تصلك نسخة بالبريد الإلكتروني.',
    doBy: ['يُرجى الإنهاء في موعد أقصاه ', '.'],
    code: 'رمز الدخول',
    codeHint: 'يعطيك المرسل هذا الرمز على حدة، بالهاتف مثلًا.',
    codeWait: seconds => `يمكنك المحاولة مرة أخرى بعد ${waiting(seconds)}.`,
    open: 'فتح المستند',
  },

  form: {
    read: 'قراءة المستند',
    readAll: 'يُرجى تنزيل ملف PDF وقراءته كاملًا قبل المتابعة.',
    download: pages => `تنزيل ملف PDF (${counted(pages, PAGES)})`,
    fingerprint: 'بصمة الملف (SHA-256)',
    fingerprintIs: 'يمكنك حساب هذه البصمة من نسختك. فإذا تطابقت البصمتان كانت نسختك هي المستند الذي يُوقَّع:',
    fillIn: 'تعبئة الحقول',
    agree: 'الموافقة والإنهاء',
    sign: 'التوقيع',
    choose: 'يُرجى الاختيار',
    ticked: 'محدَّدة',
    notTicked: 'غير محدَّدة',
    filledByUs: 'يُعبّأ عند الإنهاء',
    fullName: 'اسمك الكامل، بوصفه توقيعك',
    initials: 'الأحرف الأولى من اسمك',
    initialsHint: 'أول حرف من كل جزء من الاسم، مثل AL للاسم \u2068Ada Lovelace\u2069.',
    placedOn: (pages, count) => `الموضع في المستند: ${pagesNamed(pages, count)}.`,
    shownInCertificate: 'يظهر التوقيع في شهادة التدقيق في آخر المستند المختوم.',
    consent: 'قرأت هذا وأوافق عليه.',
    declineHeading: {
      signer: 'لا أريد التوقيع',
      approver: 'لا أريد الموافقة',
      viewer: 'لا أريد القراءة',
    },
    declineMeaning:
      'في حال الرفض لا يستطيع أحد بعد ذلك توقيع هذا المستند، ولا يمكن التراجع عن ذلك. وإذا كان لديك مجرد سؤال، فيُرجى سؤال المرسل أولًا.',
    reason: 'سبب الرفض',
    reasonHint: 'يمكن للمرسل قراءة السبب.',
    decline: 'رفض',
    delegate: 'الإحالة إلى شخص آخر',
    delegationMeaning:
      'يتلقى ذلك الشخص رابطًا خاصًا به بالبريد الإلكتروني. ويتوقف رابطك عن العمل، ويُمحى ما أُدخل هنا. ويمكن للمرسل أن يرى الاسمين.',
    colleague: 'اسم الشخص الآخر',
    colleagueEmail: 'عنوان البريد الإلكتروني للشخص الآخر',
    delegateNow: 'إحالة',
  },

  done: {
    headline: {
      done: 'أنهيت ما عليك',
      completed: 'اكتمل المستند',
      declined: 'سُجّل رفضك',
    },
    done: {
      signer: 'شكرًا لك. سُجّل توقيعك. ويُرسل إليك المستند المختوم بالبريد الإلكتروني عندما ينتهي الجميع.',
      approver: 'شكرًا لك. سُجّلت موافقتك. ويُرسل إليك المستند المختوم بالبريد الإلكتروني عندما ينتهي الجميع.',
      viewer: 'يصلك المستند المختوم بالبريد الإلكتروني عندما ينتهي الجميع.',
    },
    sealing: 'شكرًا لك. أنهى الجميع ما عليهم. ويُختم المستند الآن، ثم تصلك نسخة منه بالبريد الإلكتروني.',
    completed: 'أنهى الجميع ما عليهم. والمستند مختوم، وتصلك نسخة منه بالبريد الإلكتروني.',
    viewer: 'يصلك المستند المختوم بالبريد الإلكتروني عندما ينتهي الجميع. وليس عليك توقيع شيء.',
    declined: 'لم يعد بإمكان أحد توقيع هذا المستند. ويمكن للمرسل أن يقرأ السبب الذي ذكرته.',
    waitingFor: 'ما زلنا ننتظر:',
    sealedMeaning:
      'يحمي ختم إلكتروني المستند، بحيث يمكن كشف أي تغيير لاحق. وتبيّن شهادة التدقيق في آخر المستند من وقّع ومتى. يُرجى الاحتفاظ بنسخة.',
    copyUntil: moment => `يمكنك تنزيله من هنا حتى ${moment}.`,
    downloadSealed: 'تنزيل المستند المختوم',
    downloadUnsealed: 'تنزيل المستند قبل ختمه',
    continueTo: host => `المتابعة إلى ${apart(host)}`,
    close: 'يمكنك إغلاق هذه الصفحة.',
  },

  delegated: {
    headline: 'أُحيل إلى شخص آخر',
    to: name => `أرسلنا رابطًا شخصيًا إلى ${apart(name)}.`,
    linkEnded: 'لم يعد رابطك يعمل، ومُحي ما كان قد أُدخل. ولم يبق عليك فعل شيء.',
  },

  view: {
    document: 'المستند',
    tools: 'التكبير والصفحة',
    page: 'الصفحة {page} من {pages}',
    goToPage: 'الصفحة',
    ofPages: 'من {pages}',
    zoomIn: 'تكبير',
    zoomOut: 'تصغير',
    fitWidth: 'ملاءمة العرض',
    loading: 'جارٍ تحميل المستند…',
    failed: 'تعذّر تحميل المستند. يُرجى التحقق من الاتصال.',
    pageFailed: 'تعذّر عرض هذه الصفحة.',
    tryAgain: 'المحاولة مرة أخرى',
  },

  script: {
    fields: 'حقولك',
    progressBar: 'التقدم',
    progress: 'أُنجز {done} من {all}',
    allDone: 'تمت تعبئة كل شيء.',
    next: 'الحقل التالي',
    all: 'كل الحقول',
    close: 'إغلاق',
    sending: 'جارٍ الإرسال…',
    saving: 'جارٍ الحفظ…',
    saved: 'تم الحفظ',
    notSaved: 'لم يُحفظ: لا يوجد اتصال. تجري محاولة أخرى…',
    notSent: 'لم يُرسل شيء: لا يوجد اتصال. تُرجى المحاولة مرة أخرى.',
    gone: 'هذه الصفحة قديمة، ولم تعد تستطيع حفظ ما يُدخل. تُرجى إعادة تحميلها.',
    missing: {
      one: 'بقي أمر واحد:',
      two: 'بقي أمران:',
      few: 'بقيت {n} أمور:',
      many: 'بقي {n} أمرًا:',
      other: 'بقي {n} أمر:',
    },
    fillThisIn: '\u2068{field}\u2069: تُرجى تعبئة هذا الحقل.',
    tickThis: '\u2068{field}\u2069: يُرجى تحديد الخانة.',
    chooseThis: '\u2068{field}\u2069: يُرجى الاختيار.',
    notANumber: '\u2068{field}\u2069: يُرجى إدخال عدد مثل 1250 أو 12.50.',
    notAnEmail: '\u2068{field}\u2069: يُرجى إدخال عنوان بريد إلكتروني مثل \u2068ada@example.com\u2069.',
    makeSignature: 'يُرجى وضع توقيعك.',
    makeInitials: 'يُرجى وضع الأحرف الأولى من اسمك.',
    consentField: 'الموافقة',
    agree: 'تُرجى الموافقة على التوقيع الإلكتروني بتحديد الخانة.',
    marker: '\u2068{field}\u2069، الصفحة {page}: {state}',
    states: {
      required: 'مطلوب ولم يُعبّأ بعد',
      optional: 'اختياري ولم يُعبّأ بعد',
      done: 'تمت تعبئته',
      error: 'تُرجى المراجعة',
    },
    mark: {
      signature: {
        name: 'توقيعك',
        use: { one: 'استعمال هذا التوقيع', two: 'وضع توقيعي في الموضعين', other: 'وضع توقيعي في كل المواضع ({n})' },
        chosen: { one: 'توقيعك في موضعه.', two: 'توقيعك في الموضعين.', other: 'توقيعك في كل المواضع ({n}).' },
        chosenNowhere: 'هذا هو توقيعك.',
        pad: 'يُرسم توقيعك هنا',
        picture: 'توقيعك من صورتك',
      },
      initials: {
        name: 'الأحرف الأولى من اسمك',
        use: {
          one: 'استعمال هذه الأحرف',
          two: 'وضع الأحرف الأولى من اسمي في الموضعين',
          other: 'وضع الأحرف الأولى من اسمي في كل المواضع ({n})',
        },
        chosen: {
          one: 'الأحرف الأولى من اسمك في موضعها.',
          two: 'الأحرف الأولى من اسمك في الموضعين.',
          other: 'الأحرف الأولى من اسمك في كل المواضع ({n}).',
        },
        chosenNowhere: 'هذه هي الأحرف الأولى من اسمك.',
        pad: 'تُرسم الأحرف الأولى من اسمك هنا',
        picture: 'الأحرف الأولى من اسمك من صورتك',
      },
      how: 'ما الطريقة التي تناسبك؟',
      draw: 'رسم',
      type: 'كتابة',
      upload: 'رفع صورة',
      padHint: 'يمكن الرسم بالإصبع أو بقلم أو بالفأرة. ومع لوحة المفاتيح يُرجى اختيار «كتابة».',
      padFull: 'لم يعد الرسم يتسع لخطوط أخرى. يُرجى استعماله كما هو، أو مسحه ورسم أبسط منه.',
      undo: 'تراجع',
      clear: 'مسح',
      tooLittle: 'يُرجى الرسم أكثر قليلًا.',
      pictureHint: 'صورة فوتوغرافية أو ممسوحة ضوئيًا لما كُتب على ورق أبيض، حتى 50 ميغابايت. وتُزال خلفية الورق.',
      choosePicture: 'اختيار صورة',
      uploading: 'جارٍ الرفع…',
      pictureUnreadable: 'لا يستطيع هذا المتصفح قراءة هذه الصورة. يُرجى اختيار ملف PNG أو JPEG، أو أخذ لقطة شاشة للصورة.',
      pictureFailed: 'تعذّر إرسال الصورة: لا يوجد اتصال. تُرجى المحاولة مرة أخرى.',
      later: 'لا يزال بإمكانك تغيير ذلك قبل الإنهاء.',
    },
  },
}
