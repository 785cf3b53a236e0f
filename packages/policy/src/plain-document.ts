/**
 * Owns which files are plain documents: people read them, and nothing runs, loads or obeys them. In doubt a file is none.
 * What programs of the host run is told by the effects of a call; this is about names and words that are left over.
 */
import { foreignFolderOf } from '@countersign/contract'

export interface WrittenDocument {
  /** In the workspace, by its real path. */
  readonly path: string
  /** What it will hold; null where it is not text. */
  readonly text: string | null
}

export function isPlainDocument({ path, text }: WrittenDocument): boolean {
  const segments = path.split('/')
  const name = folded(segments.at(-1) ?? '')
  const ending = /\.([a-z]+)$/.exec(name)?.[1] ?? ''
  if (!segments.every(isPlainSegment) || foreignFolderOf(path)) return false
  if (segments.slice(0, -1).some((folder) => loadedFolders.has(folded(folder)))) return false
  if (isInstruction(name.slice(0, -ending.length - 1))) return false
  return text === null ? pictures.has(ending) : (texts.get(ending)?.(text) ?? false)
}

/**
 * Not html, svg and pdf, which can hold programs, and not json, which is a setting of some program too often. A table
 * must not hold a formula, and markup nothing that is loaded when it is shown: an address can carry what the run knows.
 */
const texts: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['txt', () => true],
  ['md', isQuietMarkup],
  ['csv', hasNoFormula],
  ['tsv', hasNoFormula],
])
const pictures: ReadonlySet<string> = new Set(['png'])

/** Without a sign that a shell, a file system or a program reads in its own way; a hidden name is nobody's document. */
function isPlainSegment(segment: string): boolean {
  return /^[\p{L}\p{M}\p{N}_(][\p{L}\p{M}\p{N}_ ,&+'()@.-]*$/u.test(segment) && !/[ .]$/.test(segment)
}

const folded = (name: string) => name.normalize('NFKC').toUpperCase().toLowerCase()

/** What agents, editors and page builders take for a word to themselves, wherever it lies. */
function isInstruction(stem: string): boolean {
  return instructions.has(stem) || /^(readme|llms|requirements|constraints)/.test(stem) || spoken.test(stem)
}

const spoken = /\.(agent|chatmode|instructions|local|mode|prompt|rules|skill)$/
const instructions: ReadonlySet<string> = new Set(
  `agent agents aider bootstrap claude cline codex context contributing conventions copilot-instructions crush cursor
  development gemini goose guidelines hacking heartbeat identity instruction instructions memories memory persona prompt
  prompts qwen robots rules skill skills soul system tools user warp windsurf cmakelists meson_options`.split(
    /\s+/,
  ),
)

/** Whatever lies in them is loaded, whatever it is called. */
const loadedFolders: ReadonlySet<string> = new Set(
  `agents addons autostart bin commands extensions hooks instructions memories memory modes node_modules plugins prompts
  rules skills site-packages snippets startup templates _includes _layouts _posts`.split(/\s+/),
)

/** No picture, no tag, no head by which a program knows its files, no block that a program runs. */
function isQuietMarkup(text: string): boolean {
  return (
    !/^\s*(---|\+\+\+)/.test(text) &&
    !/!\[|<(?!https?:\/\/)[a-z!?/]/i.test(text) &&
    !/^[ \t>]*(`{3,}|~{3,})[ \t]*\{?(dataview|js-engine|run|templater)/im.test(text)
  )
}

/** A number with its sign is none. */
function hasNoFormula(text: string): boolean {
  return text.split(/[\r\n,;\t]/).every((cell) => {
    const inner = cell.normalize('NFKC').replace(/^["'\s]+/, '')
    return !/^[=@]/.test(inner) && (!/^[+-]/.test(inner) || /^[+-][\d\s.%()/"-]*$/.test(inner))
  })
}
