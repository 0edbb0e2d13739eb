/** A virtual authenticator in Chromium: holds passkeys and verifies its user, as phones do. */
import type { CDPSession, Page } from 'playwright-core'

export interface VirtualAuthenticator {
  /** The ids and counters of its passkeys. */
  credentials(): Promise<{ credentialId: string; signCount: number }[]>
  /** Whether the user shows the right finger. */
  setUserVerified(isUserVerified: boolean): Promise<void>
  /** Whether the user answers at once. The browser also asks when a sign-in page opens. */
  setPresent(isPresent: boolean): Promise<void>
}

export async function plugIn(page: Page): Promise<VirtualAuthenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    setUserVerified: async isUserVerified => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    setPresent: async enabled => {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
