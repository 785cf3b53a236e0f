/**
 * Owns what is kept of a page when a call on it ends. Everything that can be read later is taken then, whether or not
 * somebody reads it: a page could otherwise learn from what is done to it what was read, and why. Refuses to keep more
 * than its limits.
 */
import type { CDPSession } from 'playwright-core'
import { cutText, firstLine } from './cut-text.ts'

export const snapshotLimits = {
  textBytes: 200_000,
  htmlBytes: 1_000_000,
  imageBytes: 4 * 1024 * 1024,
  /** Of a picture of the whole page, in pixels. */
  imageHeight: 8_000,
  treeNodes: 100_000,
  treeCharacters: 4_000_000,
} as const

export interface CutText {
  readonly text: string
  readonly truncated: boolean
}

export interface PageSnapshot {
  readonly href: string
  readonly title: string
  readonly text: CutText
  readonly html: CutText
  /** The elements for selectors, as `selection.ts` reads them. The page's renderer wrote it, so it is not parsed here. */
  readonly tree: CutText
  /** Of the whole page, in pixels. */
  readonly height: number
  readonly view: Picture
  readonly whole: Picture
}

export type Picture = Uint8Array | { readonly missing: string }

/** Rejects if the page goes away meanwhile or cannot be read. */
export async function takeSnapshot(cdp: CDPSession): Promise<PageSnapshot> {
  const read = await readPage(cdp)
  const view = await photograph(cdp, undefined)
  const height = Math.min(Math.ceil(read.height), snapshotLimits.imageHeight)
  const isTaller = height > viewHeight
  const whole = isTaller ? await photograph(cdp, { x: 0, y: 0, width: viewWidth, height, scale: 1 }) : view
  return { ...read, view, whole }
}

const viewWidth = 1280
const viewHeight = 800

/** The code runs in a world beside the page's, where the page cannot change what a string or a list does, and cuts there. */
async function readPage(cdp: CDPSession): Promise<Omit<PageSnapshot, 'view' | 'whole'>> {
  const { textBytes, htmlBytes, treeNodes, treeCharacters } = snapshotLimits
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const { executionContextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'countersign',
  })
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression: `(${readInPage})(${textBytes}, ${htmlBytes}, ${treeNodes}, ${treeCharacters})`,
    contextId: executionContextId,
    returnByValue: true,
    timeout: 10_000,
  })
  if (exceptionDetails)
    throw new Error(firstLine(exceptionDetails.exception?.description ?? exceptionDetails.text))
  const read = result.value as ReadInPage
  const kept = ({ text, truncated }: CutText, most: number): CutText => {
    const cut = cutText(text, most)
    return { text: cut.text, truncated: cut.truncated || truncated }
  }
  return {
    href: read.href,
    title: read.title.toWellFormed(),
    height: read.height,
    text: kept(read.text, textBytes),
    html: kept(read.html, htmlBytes),
    tree: read.tree,
  }
}

interface ReadInPage {
  readonly href: string
  readonly title: string
  readonly height: number
  readonly text: CutText
  readonly html: CutText
  readonly tree: CutText
}

async function photograph(
  cdp: CDPSession,
  clip: { x: number; y: number; width: number; height: number; scale: number } | undefined,
): Promise<Picture> {
  try {
    const { data } = await cdp.send('Page.captureScreenshot', {
      format: 'png',
      ...(clip ? { clip, captureBeyondViewport: true } : {}),
    })
    const image = Buffer.from(data, 'base64')
    return image.length > snapshotLimits.imageBytes
      ? { missing: `The picture is larger than 4 MB.${clip ? ' Try without fullPage.' : ''}` }
      : image
  } catch (error) {
    return { missing: `There is no picture: ${firstLine(error instanceof Error ? error.message : '')}` }
  }
}

/** A form may have a field that is called like a property, so properties are asked of the prototypes. */
const readInPage = `(mostText, mostHtml, mostNodes, mostCharacters) => {
  const getter = (owner, name) => {
    const { get } = Object.getOwnPropertyDescriptor(owner.prototype, name);
    return (node) => get.call(node);
  };
  const parentOf = getter(Node, 'parentNode');
  const root = document.documentElement;
  const cut = (text, most) => ({ text: text.slice(0, most), truncated: text.length > most });
  const lookOf = (element) => {
    const { display, visibility, whiteSpaceCollapse } = getComputedStyle(element);
    if (display === 'none') return 2;
    if (display !== 'contents' && !Element.prototype.checkVisibility.call(element)) return 2;
    const isCell = display === 'table-cell';
    const isBlock = !isCell && !/^(inline|contents|ruby)/.test(display);
    const isPre = /^(preserve|break-spaces)/.test(whiteSpaceCollapse);
    return (isBlock ? 1 : 0) | (visibility === 'visible' ? 0 : 4) | (isPre ? 8 : 0) | (isCell ? 16 : 0);
  };
  const isField = (element) =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
  const valueOf = (element) => isField(element) && element.type !== 'password' ? element.value : null;
  const rows = [];
  const indexes = new Map();
  let size = 0;
  let isCut = false;
  const walker = root ? document.createTreeWalker(root, 1 | 4 | 128) : null;
  for (let node = root; node; node = walker.nextNode()) {
    if (rows.length >= mostNodes || size > mostCharacters) {
      isCut = true;
      break;
    }
    const parent = indexes.get(parentOf(node)) ?? -1;
    if (node instanceof Element) {
      const names = Element.prototype.getAttributeNames.call(node);
      const attributes = names.flatMap((name) => [name, Element.prototype.getAttribute.call(node, name) ?? '']);
      const value = valueOf(node);
      indexes.set(node, rows.length);
      for (const text of attributes) size += text.length;
      size += (value ?? '').length + 20;
      rows.push([parent, 1, node.localName, attributes, lookOf(node), value]);
    } else {
      size += node.data.length + 10;
      rows.push([parent, node instanceof Comment ? 8 : 3, node.data]);
    }
  }
  return {
    href: location.href,
    title: document.title.slice(0, 300),
    height: root ? root.scrollHeight : 0,
    text: cut(document.body?.innerText ?? '', mostText),
    html: cut(root?.outerHTML ?? '', mostHtml),
    tree: { text: JSON.stringify(rows), truncated: isCut },
  };
}`
