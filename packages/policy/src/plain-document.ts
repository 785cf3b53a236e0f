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
  const { folders, stem, ending } = partsOf(path)
  if (!isNobodysOrder(path) || folders.some((folder) => sourceFolders.has(folded(folder)))) return false
  if (stem.startsWith('test')) return false
  return text === null ? pictures.has(ending) : isQuietText(ending, text)
}

/** No hidden name, nothing of others, and nothing that agents, editors or programs obey by its name or its folder. */
export function isNobodysOrder(path: string): boolean {
  const { folders, stem } = partsOf(path)
  if (!path.split('/').every(isPlainSegment) || foreignFolderOf(path)) return false
  return !folders.some(isLoadedFolder) && !isInstruction(stem)
}

/** Besides documents, what is shown as it is wherever it is opened: programs and settings in text, by their ending. */
export function isPlainSource({ path, text }: WrittenDocument): boolean {
  const { ending } = partsOf(path)
  if (!isNobodysOrder(path)) return false
  if (text === null) return sources.has(ending) || texts.has(ending) || pictures.has(ending)
  if (ending === 'md') return isShownAsItIs(text)
  return sources.has(ending) ? !holdsControls(text) : isQuietText(ending, text)
}

function isQuietText(ending: string, text: string): boolean {
  return texts.get(ending)?.(text) ?? false
}

export function endingOf(path: string): string {
  return partsOf(path).ending
}

function partsOf(path: string) {
  const folders = path.split('/')
  const name = folded(folders.pop() ?? '')
  const ending = /\.([a-z]+)$/.exec(name)?.[1] ?? ''
  return { folders, ending, stem: ending === '' ? name : name.slice(0, -ending.length - 1) }
}

/**
 * Not txt, which is a list, a cache or a test of some program too often, not html, svg and pdf, which can hold programs,
 * and not json, which is a setting. A table must not hold a formula, and markup nothing that is loaded or run when it is
 * shown or built: an address can carry what the run knows.
 */
const texts: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['md', isQuietMarkup],
  ['csv', hasNoFormula],
  ['tsv', hasNoFormula],
])
const pictures: ReadonlySet<string> = new Set(['png'])

/** Without a sign that a shell, a file system or a program reads in its own way; a hidden name is nobody's document. */
function isPlainSegment(segment: string): boolean {
  return /^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_ ,+@.-]*$/u.test(segment) && !/[ .]$/.test(segment)
}

const folded = (name: string) => name.normalize('NFKC').toUpperCase().toLowerCase()

/** What agents, editors and page builders take for a word to themselves, wherever it lies. */
function isInstruction(stem: string): boolean {
  const [first = '', ...others] = stem.split('.')
  return (
    /^(readme|llms)/.test(stem) ||
    instructions.has(stem) ||
    instructions.has(first) ||
    others.some((part) => endings.has(part)) ||
    stem.split(/[-_. ]+/).some((part) => names.has(part))
  )
}

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Alone. */
const instructions = listOf(
  `bootstrap context contributing conventions development guidelines hacking heartbeat identity memories memory persona
  project_rules robots soul system tools user boot`,
)
/** Before the last ending, as in `review.prompt.md`. */
const endings = listOf('agent chatmode instructions local mode override prompt rules skill')
/** As any word of it, as in `cursor-rules.md`. */
const names = listOf(
  `agent agents aider amazonq claude cline codebuddy codex copilot crush cursor gemini goose grok iflow instruction
  instructions prompt prompts qwen replit rules skill skills warp windsurf`,
)

/** Whatever lies in them is loaded, whatever it is called. */
function isLoadedFolder(folder: string): boolean {
  const name = folded(folder)
  return loadedFolders.has(name) || /\.(egg|dist)-info$/.test(name)
}

const loadedFolders = listOf(
  `agent agents addons autostart bin chatmode chatmodes command commands extensions head hooks instructions memories
  memory memory-bank mode modes node_modules objects plugins prompt prompts refs rules skill skills site-packages startup
  steering subagent subagents workflow workflows`,
)
/** Of what is built or tested: no place for a document that nobody asked for. */
const sourceFolders = listOf(
  'requirements script scripts snippets templates testdata tests _includes _layouts _posts',
)
const sources = listOf(
  `c cc conf cpp cs dart go h hpp ini java jl js json jsx kt lua mjs cjs mts py rb rs sh sql swift toml ts tsx txt yaml yml`,
)
const settings = listOf('conf ini json toml txt yaml yml')

/** Programs look for it by its name. No list of such names is whole, so it is written only where its path was said. */
export function isSetting(path: string): boolean {
  const { ending, stem } = partsOf(path)
  return (
    settings.has(ending) ||
    /(?:file|rc|conf|config|setup|build|hooks?|plugins?|node|review|practices)$/.test(stem)
  )
}

export function isPlainDocumentEnding(path: string): boolean {
  return texts.has(partsOf(path).ending)
}

/** No picture, no tag, no head by which a program knows its files, no words that a program fills in or runs. */
function isQuietMarkup(text: string): boolean {
  return isShownAsItIs(text) && !/^\s*[\p{L}\p{N} _-]+:(\s|$)/u.test(text)
}

/** The same, but for a first line such as “Table 1: …”, by which few programs know anything. */
function isShownAsItIs(text: string): boolean {
  return (
    !holdsControls(text) &&
    !speaksToEditors(text) &&
    !/^\s*(---|\+\+\+)/.test(text) &&
    !/!\[|<(?!https?:\/\/[^\s<>"']+>)[a-z!?/%]|\{|`\$?=/iu.test(text) &&
    !/^[ \t>]*(>>> |import\b|export\b)/m.test(text) &&
    [...text.matchAll(/(?:`{3,}|~{3,})([^\n`~]*)/g)].every(([, about = '']) => isPlainBlock(about))
  )
}

/** Of code that stands in a document, named or not: a program that knows the name of its language may run it. */
function isPlainBlock(about: string): boolean {
  return ['', 'text', 'txt'].includes(about.trim().toLowerCase())
}

/** A number with its sign is none. */
function hasNoFormula(text: string): boolean {
  const read = text.normalize('NFKC')
  if (holdsControls(read) || /\p{Cf}/u.test(read) || speaksToEditors(read)) return false
  if (/^\W*sep\s*=/i.test(read) || /^\W*ID;/.test(read)) return false
  if (/(^|[^\p{L}\p{M}\p{N}])\s*[=@]/u.test(read)) return false
  return read.split(/[\r\n,;\t|]/).every((cell) => {
    const inner = cell.replace(/^["'\s]+/, '')
    return !/^[+-]/.test(inner) || /^[+-][\d\s.%()/"-]*$/.test(inner)
  })
}

function holdsControls(text: string): boolean {
  return /[^\P{Cc}\t\r\n]/u.test(text)
}

/** Lines that an editor takes as settings of the file. */
function speaksToEditors(text: string): boolean {
  return /-\*-|\b(?:vim?|ex):|local variables:/i.test(text)
}
