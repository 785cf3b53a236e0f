/** Owns one installation with a browser in it, and the errands that a test gives to its agent. */
import type { ApprovalDetail, ApprovalView, RunDetail, SessionId } from '@countersign/contract'
import { type GatewayProcess, type Installation, openInstallation, settledRun } from '@countersign/harness'
import type { ReplyCall, Script } from '@countersign/model-servers'
import type { Browser } from 'playwright-core'
import { launchBrowser, openWindow, type WindowOptions } from './browser.ts'
import { type PairedPage, pairedPage } from './pairing.ts'
import { readPages } from './read-pages.ts'
import { until } from './until.ts'

export interface SceneOptions {
  readonly script?: Script
  /** What is read of the operator's words; left out, nothing. */
  readonly wishes?: Script
  readonly environment?: Readonly<Record<string, string>>
  readonly passing?: boolean
  readonly home?: string
  /** Of the browser. */
  readonly flags?: readonly string[]
}

export interface Scene {
  readonly installation: Installation
  readonly gateway: GatewayProcess
  readonly browser: Browser
  /** Another browser that is let in. */
  enter(path?: string, options?: WindowOptions): Promise<PairedPage>
  /** Tells the agent to make these calls, all in one turn. */
  tell(calls: readonly ReplyCall[], session?: SessionId | null): Promise<Errand>
  close(): Promise<void>
}

export interface Errand {
  readonly run: string
  readonly session: SessionId
  /** What it waits for, as soon as it waits. */
  waiting(count?: number): Promise<readonly ApprovalView[]>
  ended(): Promise<RunDetail>
}

export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const installation = await openInstallation({
    script: options.script ?? obedient,
    ...(options.wishes === undefined ? {} : { wishes: options.wishes }),
    ...(options.environment === undefined ? {} : { environment: options.environment }),
    ...(options.passing === undefined ? {} : { passing: options.passing }),
    ...(options.home === undefined ? {} : { home: options.home }),
  })
  try {
    const [gateway, browser] = await Promise.all([installation.start(), launchBrowser(options.flags)])
    await readPages(gateway.url)
    return {
      installation,
      gateway,
      browser,
      async enter(path, window) {
        return pairedPage(await openWindow(browser, window), installation, gateway, path)
      },
      tell: (calls, session = null) => tell(gateway, JSON.stringify(calls), session),
      async close() {
        await browser.close()
        await installation.close()
      },
    }
  } catch (error) {
    await installation.close()
    throw error
  }
}

/** Makes the calls that it is told to make, and repeats what came of them. */
export const obedient: Script = ({ lastUser, lastResults }) => {
  if (lastResults.length > 0) return { text: `Got: ${lastResults.map(({ text }) => text).join(' | ')}` }
  // Whatever else is asked of a model, such as what to remember, gets words.
  if (!lastUser.startsWith('[{"name":')) return { text: `You said: ${lastUser}` }
  return { text: 'I shall do that.', calls: JSON.parse(lastUser) as readonly ReplyCall[] }
}

export async function tell(
  { client }: GatewayProcess,
  text: string,
  session: SessionId | null = null,
): Promise<Errand> {
  const sent = await client.send({ key: crypto.randomUUID(), session, text, mode: 'auto' })
  const run = sent.run ?? ''
  return {
    run,
    session: sent.session,
    waiting: (count = 1) =>
      until(
        async () => {
          const { approvals } = await client.run(run)
          const waiting = approvals.filter(({ state }) => state === 'pending')
          return waiting.length >= count && waiting
        },
        { what: `${String(count)} requests of ${run}` },
      ),
    ended: () => settledRun(client, run, 'stopped', 60_000),
  }
}

export function approvalOf({ client }: GatewayProcess, ref: string): Promise<ApprovalDetail> {
  return client.approval(ref)
}
