/** The initials proposed to a person. */
import { expect, test } from 'bun:test'
import { initialsOf } from '../../src/core/signing/initials.ts'

const NAMES: [name: string, initials: string][] = [
  ['Ada Lovelace', 'AL'],
  ['Anna-Lena von Berg', 'ALvB'],
  ['Anna-Lena von der Berg-Thal', 'ALBT'],
  ['José María de la Cruz García', 'JMCG'],
  ['Pablo Diego José Francisco de Paula Ruiz Picasso', 'PDJP'],
  ['Dr. Jane Smith Jr.', 'JS'],
  ['J. R. Smith', 'JRS'],
  ['Ada (Countess) Lovelace', 'AL'],
  ['ada lovelace', 'AL'],
  ['Óscar Ávila', 'ÓÁ'],
  ['Юлия Щербакова', 'ЮЩ'],
  ['Γιώργος Παπαδόπουλος', 'ΓΠ'],
  ['山田 太郎', '山田'],
  ['王小明', '王小明'],
  ['김민준', '김민준'],
  ['さくら', 'さくら'],
  ['王小明 (Wang Xiaoming)', '王小明'],
  ['محمد علي', 'م.ع'],
  ['فاطمة الزهراء', 'ف.ز'],
  ['خالد بن الوليد', 'خ.و'],
  ['שרה כהן', 'ש.כ'],
  ['สมชาย ใจดี', 'ส.จ'],
  ['เจริญ แก้ว', 'จ.ก'],
  ['राजेश कुमार', 'रा.कु'],
  ['Madonna', 'M'],
  ['4711', ''],
  ['', ''],
]

for (const [name, initials] of NAMES) {
  test(`“${name}” has the initials “${initials}”`, () => {
    expect(initialsOf(name)).toBe(initials)
  })
}
