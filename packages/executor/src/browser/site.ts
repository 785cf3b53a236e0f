/**
 * Owns what a session keeps of one site: cookies and storage apart from those of other sites, and the proxy through
 * which its pages go out. Refuses downloads, service workers and every permission that a page can ask for.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { AddressPolicy } from '../egress/egress.ts'
import { describeTarget } from '../egress/target.ts'
import { openProxyDoor, type ProxyDoor } from './proxy-door.ts'

export interface Site {
  readonly context: BrowserContext
  readonly door: ProxyDoor
  /** A new page. No other page of the site may be open. */
  openPage(): Promise<Page>
  /** Only when the browser has ended or the context was closed: whoever takes the port later must find nobody there. */
  closeDoor(): Promise<void>
}

/** The host, on which both usual ports are one site. Cookies know no ports, so another port is another site. */
export function siteOf(url: string): string | undefined {
  const target = describeTarget(url)
  if (target.kind !== 'target') return undefined
  const { asciiHost, port } = target
  return port === 80 || port === 443 ? asciiHost : `${asciiHost}:${port}`
}

export async function openSite(browser: Browser, policy: AddressPolicy): Promise<Site> {
  const door = await openProxyDoor(policy)
  let context: BrowserContext
  try {
    context = await browser.newContext({
      proxy: { server: door.server, bypass: '<-loopback>' },
      acceptDownloads: false,
      serviceWorkers: 'block',
      permissions: [],
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
    })
  } catch (error) {
    await door.close()
    throw error
  }
  let isIntroduced = false
  return {
    context,
    door,
    async openPage() {
      const page = await context.newPage()
      if (!isIntroduced) await introduce(page, door)
      isIntroduced = true
      return page
    },
    closeDoor: () => door.close(),
  }
}

/**
 * Tells the browser the password of the proxy, once for all that the context will ever send: the driver's own way
 * would hold up every request and switch the cache off.
 */
async function introduce(page: Page, door: ProxyDoor): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  let challenges = 0
  cdp.on('Fetch.requestPaused', ({ requestId }) => {
    cdp.send('Fetch.continueRequest', { requestId }).catch(() => undefined)
  })
  cdp.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    challenges += 1
    const isOurs = authChallenge.source === 'Proxy' && challenges === 1
    const authChallengeResponse = isOurs
      ? ({ response: 'ProvideCredentials', ...door.credential } as const)
      : ({ response: 'CancelAuth' } as const)
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined)
  })
  await cdp.send('Fetch.enable', { handleAuthRequests: true })
  await cdp.send('Runtime.evaluate', {
    expression: `fetch('${nowhere}', { mode: 'no-cors' }).catch(() => undefined)`,
    awaitPromise: true,
  })
  await cdp.send('Fetch.disable')
  await cdp.detach()
  // The door is shut, so this request was refused behind the password.
  const isLetIn = challenges === 1 && door.reach.takeRefused() !== undefined
  if (!isLetIn) throw new Error('The browser could not be let into its proxy.')
}

const nowhere = 'http://proxy.invalid/'
