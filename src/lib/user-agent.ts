/** Names the browser and the system of a User-Agent; unknown ones stay unnamed. */

export interface Device {
  browser: string | undefined
  system: string | undefined
}

/** The first that matches: others pretend to be Chrome and Safari, too. */
const BROWSERS: [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChromium\//, 'Chromium'],
  [/\bChrome\/|\bHeadlessChrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]

const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

export function deviceOfUserAgent(userAgent: string | undefined): Device {
  const named = (list: [RegExp, string][]) => list.find(([pattern]) => userAgent !== undefined && pattern.test(userAgent))?.[1]
  return { browser: named(BROWSERS), system: named(SYSTEMS) }
}
