/**
 * Owns how a page is read: from the snapshot that was taken when the last call on it ended. The page itself stays
 * frozen, so it cannot tell what was read or whether anything was.
 */
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { BrowserAction, BrowserResult, Failure } from '@countersign/tools'
import { failure } from '../capabilities/failure.ts'
import { cutText, firstLine } from './cut-text.ts'
import { elsewhere, isSamePage, nothingMatches } from './page-address.ts'
import type { Selection, SelectionJob } from './selection.ts'
import { type CutText, type PageSnapshot, snapshotLimits } from './snapshot.ts'

export type PageRead = Extract<BrowserAction, { readonly action: 'text' | 'html' | 'screenshot' }>

export function isRead(action: BrowserAction): action is PageRead {
  return action.action === 'text' || action.action === 'html' || action.action === 'screenshot'
}

/** Resolves even on failure. */
export async function readSnapshot(
  snapshot: PageSnapshot,
  action: PageRead,
  signal: AbortSignal,
): Promise<BrowserResult | Failure> {
  if (!isSamePage(snapshot.href, action.url)) return elsewhere(snapshot.href, action.url)
  if (action.action === 'screenshot') return picture(snapshot, action.fullPage)
  const whole = action.action === 'text' ? snapshot.text : snapshot.html
  if (action.selector === null) return seen(snapshot, whole)
  const most = action.action === 'text' ? snapshotLimits.textBytes : snapshotLimits.htmlBytes
  const selection = await selectApart(
    { tree: snapshot.tree.text, what: action.action, selector: action.selector, mostCharacters: most },
    signal,
  )
  if (selection.kind === 'invalid')
    return failure(`The selector is not CSS that can be used here: ${firstLine(selection.reason)}`)
  if (selection.kind === 'failed') return selection
  if (selection.count === 0) return nothingMatches(action.selector)
  const { text, truncated } = cutText(selection.text, most)
  return seen(snapshot, { text, truncated: truncated || selection.truncated || snapshot.tree.truncated })
}

function seen(snapshot: PageSnapshot, { text, truncated }: CutText): BrowserResult {
  const { href: url, title } = snapshot
  return { kind: 'seen', url, title, status: null, text, truncated, image: null, notes: [] }
}

function picture(snapshot: PageSnapshot, fullPage: boolean): BrowserResult | Failure {
  const image = fullPage ? snapshot.whole : snapshot.view
  if (!(image instanceof Uint8Array)) return failure(image.missing)
  const isCut = fullPage && snapshot.height > snapshotLimits.imageHeight
  const notes = isCut
    ? [`Only the first ${snapshotLimits.imageHeight} pixels of the page are in the picture.`]
    : []
  return { ...seen(snapshot, { text: '', truncated: false }), image, notes }
}

/** For the thread, which holds the page's elements. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
const longestSearch = 5_000

function selectApart(job: SelectionJob, signal: AbortSignal): Promise<Selection | Failure> {
  return new Promise((resolve) => {
    const worker = new Worker(workerFile(), { workerData: job, env: {}, resourceLimits })
    const finish = (end: Selection | Failure) => {
      clearTimeout(deadline)
      signal.removeEventListener('abort', cancel)
      void worker.terminate()
      resolve(end)
    }
    const cancel = () => finish(failure('Cancelled. Nothing was done.'))
    const tooLong = () => finish(failure('The selector takes too long on this page. Use a simpler one.'))
    const deadline = setTimeout(tooLong, longestSearch)
    signal.addEventListener('abort', cancel, { once: true })
    worker.once('message', (selection: Selection) => finish(selection))
    worker.once('error', () => finish(failure('The page is too large or too deep for a selector.')))
    worker.once('exit', () => finish(failure('The search in the page stopped.')))
    if (signal.aborted) cancel()
  })
}

/** Beside this file: a program of its own in the published package, the source in the repository. */
function workerFile(): URL {
  const bundled = new URL('./selection-worker.js', import.meta.url)
  return existsSync(bundled) ? bundled : new URL('./selection-worker.ts', import.meta.url)
}
