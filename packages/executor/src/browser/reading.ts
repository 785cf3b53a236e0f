/**
 * Owns how a page is read. The reading code runs in a world of its own beside the page's, where the page cannot change
 * what a string or a list does, and cuts there, so that a page cannot send more than was asked for.
 */
import type { CDPSession } from 'playwright-core'

export interface PageText {
  readonly href: string
  readonly title: string
  /** How many elements there were. */
  readonly found: number
  readonly text: string
  readonly truncated: boolean
  /** Of the whole page, in pixels. */
  readonly height: number
}

export interface Reading {
  readonly what: 'text' | 'html'
  readonly selector: string | null
  readonly mostBytes: number
}

/** Rejects if the page goes away meanwhile. A selector that is none gives its error. */
export async function readPage(
  cdp: CDPSession,
  { what, selector, mostBytes }: Reading,
): Promise<PageText | { readonly error: string }> {
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const { executionContextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'countersign',
  })
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression: `(${readInPage})(${JSON.stringify(what)}, ${JSON.stringify(selector)}, ${mostBytes})`,
    contextId: executionContextId,
    returnByValue: true,
    timeout: 10_000,
  })
  if (exceptionDetails)
    return { error: firstLine(exceptionDetails.exception?.description ?? exceptionDetails.text) }
  const seen = result.value as PageText
  const { text, truncated } = cutText(seen.text, mostBytes)
  return { ...seen, title: seen.title.toWellFormed(), text, truncated: truncated || seen.truncated }
}

/** Well-formed text of at most so many bytes in UTF-8. */
export function cutText(text: string, mostBytes: number): { text: string; truncated: boolean } {
  const bytes = Buffer.from(text.slice(0, mostBytes).toWellFormed())
  if (text.length <= mostBytes && bytes.length <= mostBytes)
    return { text: text.toWellFormed(), truncated: false }
  // A character that the cut went through is left out.
  return { text: new TextDecoder().decode(bytes.subarray(0, mostBytes), { stream: true }), truncated: true }
}

export function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 500)
}

const readInPage = `(what, selector, most) => {
  const nodes = selector === null
    ? [what === 'text' ? document.body : document.documentElement]
    : [...document.querySelectorAll(selector)];
  const isField = (node) => /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName) && node.type !== 'password';
  const textOf = (node) => isField(node) ? node.value : node.innerText ?? node.textContent ?? '';
  let text = '';
  for (const node of nodes) {
    if (!node || text.length > most) continue;
    text += (text === '' ? '' : '\\n') + String(what === 'text' ? textOf(node) : node.outerHTML).slice(0, most + 1);
  }
  return {
    href: location.href,
    title: document.title.slice(0, 300),
    found: nodes.length,
    text: text.slice(0, most),
    truncated: text.length > most,
    height: document.documentElement ? document.documentElement.scrollHeight : 0,
  };
}`
