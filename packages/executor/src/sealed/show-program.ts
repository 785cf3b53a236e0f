/**
 * Shows what changes are about: the words of new and changed files, as far as they are short texts, and whether git
 * could take a folder on the way for a repository. It runs inside the sandbox as source text, so it stands alone.
 */
import type { PathChange, TreeEntry } from './path-change.ts'
import type { Tree } from './tree-program.ts'

export interface ShownChange {
  /** All of a new file, or the lines that differ; null where it is no text, or too long. */
  readonly text: string | null
  /** A folder above it holds something called `HEAD`, now or with the changes. */
  readonly besideHead: boolean
  /** A link that leads out of the workspace, also through links that were there before. */
  readonly leadsOut: boolean
}

export interface ShowBounds {
  readonly longestText: number
  readonly mostText: number
}

export function showProgram(
  trees: { readonly host: Tree; readonly changes: Tree; readonly view: Tree },
  list: readonly PathChange[],
  bounds: ShowBounds,
): ShownChange[] {
  const fs = process.getBuiltinModule('node:fs')
  const crypto = process.getBuiltinModule('node:crypto')
  const heads = new Map<string, boolean>()
  let room = bounds.mostText

  function holdsHead(folder: string): boolean {
    const known = heads.get(folder)
    if (known !== undefined) return known
    const cut = folder.lastIndexOf('/')
    const head = folder === '' ? 'HEAD' : `${folder}/HEAD`
    const here = trees.view.stat(head) !== undefined || trees.host.stat(head) !== undefined
    const found = here || (folder !== '' && holdsHead(cut < 0 ? '' : folder.slice(0, cut)))
    heads.set(folder, found)
    return found
  }

  /** What is hidden from the command may be a link as well. */
  function linkAt(path: string): string | null {
    const tree = trees.view.stat(path) === undefined ? trees.host : trees.view
    const stat = tree.stat(path)
    const entry = stat?.isSymbolicLink() ? tree.entry(path, stat) : undefined
    return entry?.kind === 'link' ? entry.target : null
  }

  /** Step by step, as the kernel would go. In doubt it does. */
  function leadsOut(path: string, target: string): boolean {
    const mostLinks = 40
    const at = path.split('/').slice(0, -1)
    const steps = target.split('/')
    let isOut = target.startsWith('/')
    let links = 0
    for (let step = steps.shift(); step !== undefined && !isOut; step = steps.shift()) {
      if (step === '' || step === '.') continue
      if (step === '..') {
        isOut = at.pop() === undefined
        continue
      }
      const link = linkAt([...at, step].join('/'))
      if (link === null) at.push(step)
      else {
        links += 1
        isOut = link.startsWith('/') || links > mostLinks
        steps.unshift(...link.split('/'))
      }
    }
    return isOut
  }

  /** Of exactly the bytes that are in the list. */
  function textAt(tree: Tree, path: string, entry: TreeEntry | null): string | null {
    if (entry === null) return ''
    if (entry.kind !== 'file' || entry.size > bounds.longestText) return null
    const file = tree.openFile(path)
    try {
      const bytes = fs.readFileSync(file)
      if (crypto.createHash('sha256').update(bytes).digest('hex') !== entry.sha256) return null
      const text = bytes.toString('utf8')
      return Buffer.from(text, 'utf8').equals(bytes) && !text.includes('\0') ? text : null
    } finally {
      fs.closeSync(file)
    }
  }

  /** From the first line that differs to the last. */
  function difference(before: string, after: string): string {
    const [old, fresh] = [before.split('\n'), after.split('\n')]
    const shorter = Math.min(old.length, fresh.length)
    let first = 0
    while (first < shorter && old[first] === fresh[first]) first += 1
    let last = 0
    while (last < shorter - first && old.at(-1 - last) === fresh.at(-1 - last)) last += 1
    return [
      `line ${first + 1}:`,
      ...old.slice(first, old.length - last).map((line) => `-${line}`),
      ...fresh.slice(first, fresh.length - last).map((line) => `+${line}`),
    ].join('\n')
  }

  function textOf({ path, before, after }: PathChange): string | null {
    if (after?.kind !== 'file') return null
    const [old, fresh] = [textAt(trees.host, path, before), textAt(trees.changes, path, after)]
    if (old === null || fresh === null) return null
    // Only its mode or its time is another.
    if (before !== null && old === fresh) return ''
    const text = before === null ? fresh : difference(old, fresh)
    if (Buffer.byteLength(text) > room) return null
    room -= Buffer.byteLength(text)
    return text
  }

  return list.map((change) => ({
    text: textOf(change),
    besideHead: holdsHead(change.path.slice(0, Math.max(change.path.lastIndexOf('/'), 0))),
    leadsOut: change.after?.kind === 'link' && leadsOut(change.path, change.after.target),
  }))
}
