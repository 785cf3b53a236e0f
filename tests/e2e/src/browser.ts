/** Owns the browser of the tests and what a person brings to it: a window of a size, and an authenticator for passkeys. */
import { execFileSync } from 'node:child_process'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { patienceMs } from './until.ts'

export interface WindowOptions {
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
  readonly touch?: boolean
  /** A phone: touched, with the viewport of one. */
  readonly phone?: boolean
  /** The language of the browser. */
  readonly locale?: string
  /** Its clock goes so much ahead, as that of an installation in which time has passed. */
  readonly aheadMs?: number
}

/** An authenticator that is there, that has checked its person, and that answers at once. */
export interface Authenticator {
  credentials(): Promise<readonly string[]>
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const wide = { width: 1440, height: 900 } as const
export const narrow = { width: 390, height: 844 } as const

/** A microphone that beeps, which every page may use. */
export const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: [...flags, ...more] })
}

/** A browser with one profile, which a tool that talks to it by its port uses too. */
export function launchProfile(
  folder: string,
  debuggingPort: number,
  more: readonly string[] = [],
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    args: [...flags, `--remote-debugging-port=${String(debuggingPort)}`, ...more],
    viewport: wide,
  })
}

/** A browser of its own to the gateway: no key, no memory. */
export async function openWindow(browser: Browser, options: WindowOptions = {}): Promise<BrowserContext> {
  const { width = wide.width, height = wide.height, theme = 'light', aheadMs = 0 } = options
  const { locale = 'en-GB', phone = false, touch = phone } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: touch,
    isMobile: phone,
    locale,
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(patienceMs)
  if (aheadMs !== 0) await context.addInitScript(clockAhead(aheadMs))
  return context
}

export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
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
    async credentials() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.map(({ credentialId }) => Buffer.from(credentialId, 'base64').toString('base64url'))
    },
  }
}

function clockAhead(ms: number): string {
  return `{
    const Real = Date
    globalThis.Date = class extends Real {
      constructor(...given) {
        if (given.length === 0) super(Real.now() + ${String(ms)})
        else super(...given)
      }
      static now() {
        return Real.now() + ${String(ms)}
      }
    }
  }`
}

function chromiumPath(): string {
  return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
}
