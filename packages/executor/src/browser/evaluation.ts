/** Owns how a piece of code runs in a page: in the document that was approved, or not at all. */
import type { CDPSession } from 'playwright-core'
import { cutText, firstLine } from './cut-text.ts'

export type Evaluation =
  | { readonly kind: 'value'; readonly text: string; readonly truncated: boolean }
  /** The page went elsewhere while the code ran. */
  | { readonly kind: 'left' }
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'elsewhere' }

interface Value {
  readonly type: string
  readonly subtype?: string
  readonly value?: unknown
  readonly unserializableValue?: string
  readonly objectId?: string
  readonly description?: string
}

/** Runs the code as in a console: its last value is the answer, and a promise is waited for. */
export async function evaluateIn(
  cdp: CDPSession,
  {
    origin,
    code,
    timeoutMs,
    mostBytes,
  }: { origin: string; code: string; timeoutMs: number; mostBytes: number },
): Promise<Evaluation> {
  const world = await worldOf(cdp, origin)
  if (world === undefined) return { kind: 'elsewhere' }
  try {
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      expression: code,
      uniqueContextId: world,
      replMode: true,
      awaitPromise: true,
      userGesture: true,
      timeout: timeoutMs,
    })
    if (exceptionDetails) return threw(exceptionDetails)
    if (result.subtype !== 'promise' || result.objectId === undefined)
      return { kind: 'value', ...(await shown(cdp, result, mostBytes)) }
    const awaited = await cdp.send('Runtime.awaitPromise', { promiseObjectId: result.objectId })
    if (awaited.exceptionDetails) return threw(awaited.exceptionDetails)
    return { kind: 'value', ...(await shown(cdp, awaited.result, mostBytes)) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (/uniqueContextId not found/i.test(message)) return { kind: 'elsewhere' }
    if (/navigated|context|Promise was collected/i.test(message)) return { kind: 'left' }
    throw error
  }
}

/** The world of the document that is in the page now, if it is of this origin. It ends with the document. */
async function worldOf(cdp: CDPSession, origin: string): Promise<string | undefined> {
  const { frameTree } = await cdp.send('Page.getFrameTree')
  let found: string | undefined
  cdp.on('Runtime.executionContextCreated', ({ context }) => {
    const about = context.auxData as { isDefault?: boolean; frameId?: string } | undefined
    if (about?.isDefault === true && about.frameId === frameTree.frame.id && context.origin === origin)
      found ??= context.uniqueId
  })
  await cdp.send('Runtime.enable')
  return found
}

function threw(details: { readonly text: string; readonly exception?: Value | undefined }): Evaluation {
  const { exception } = details
  const thrown = typeof exception?.value === 'string' ? exception.value : exception?.description
  return { kind: 'threw', message: firstLine(thrown ?? details.text) }
}

async function shown(
  cdp: CDPSession,
  { type, value, unserializableValue, objectId }: Value,
  mostBytes: number,
): Promise<{ text: string; truncated: boolean }> {
  if (objectId === undefined || type === 'symbol')
    return cutText(typeof value === 'string' ? value : (unserializableValue ?? String(value)), mostBytes)
  const { result } = await cdp.send('Runtime.callFunctionOn', {
    objectId,
    functionDeclaration: describeInPage,
    arguments: [{ value: mostBytes }],
    returnByValue: true,
  })
  return cutText(String(result.value), mostBytes)
}

const describeInPage = `function (most) {
  let text;
  try {
    text = this instanceof Element ? this.outerHTML : typeof this === 'function' ? String(this) : JSON.stringify(this);
  } catch (error) {
    text = String(this);
  }
  return String(text).slice(0, most + 1);
}`
