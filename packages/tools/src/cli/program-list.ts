/**
 * Owns the programs that `run_cli_tool` may start: how each is found, what it is asked for its version, what it is
 * worth, and where it is installed from. A program that is not here is not started by that tool, and one that is here
 * only when the operator has switched it on.
 */
import type { Tier } from '@countersign/contract'

export interface ListedProgram {
  readonly name: string
  readonly about: string
  readonly category: 'data' | 'text' | 'code' | 'documents' | 'media'
  /** Its name in the search path of the sandbox. */
  readonly program: string
  readonly version: readonly string[]
  /** No call of it counts for less. What it changes is judged besides, by what it is. */
  readonly risk: Extract<Tier, 0 | 2 | 3>
  /** Where it comes from when the host has none. */
  readonly package?: ProgramPackage
}

export type ProgramPackage =
  /** `start` is the file in the package that Node.js runs. */
  | { readonly manager: 'npm'; readonly name: string; readonly pinned: string; readonly start: string }
  /** `module` is what Python runs. */
  | { readonly manager: 'pip'; readonly name: string; readonly pinned: string; readonly module: string }

/** In the workspace; what is installed stays there, and nowhere else on the host. */
export const cliFolders = { npm: 'cli_tools/npm', pip: 'cli_tools/python' } as const

const asked = ['--version']

export const programList: readonly ListedProgram[] = [
  { name: 'jq', about: 'Queries and changes JSON', category: 'data', program: 'jq', version: asked, risk: 0 },
  { name: 'yq', about: 'Queries and changes YAML', category: 'data', program: 'yq', version: asked, risk: 0 },
  {
    name: 'sqlite3',
    about: 'Databases in a file',
    category: 'data',
    program: 'sqlite3',
    version: asked,
    risk: 0,
  },
  {
    name: 'xmllint',
    about: 'Checks and queries XML',
    category: 'data',
    program: 'xmllint',
    version: asked,
    risk: 0,
  },
  { name: 'rg', about: 'Searches texts quickly', category: 'text', program: 'rg', version: asked, risk: 0 },
  {
    name: 'tree',
    about: 'Shows folders as a tree',
    category: 'text',
    program: 'tree',
    version: asked,
    risk: 0,
  },
  {
    name: 'pandoc',
    about: 'Turns documents into other formats',
    category: 'documents',
    program: 'pandoc',
    version: asked,
    risk: 0,
  },
  {
    name: 'pdftotext',
    about: 'The text of a PDF',
    category: 'documents',
    program: 'pdftotext',
    version: ['-v'],
    risk: 0,
  },
  {
    name: 'qpdf',
    about: 'Splits and joins PDFs',
    category: 'documents',
    program: 'qpdf',
    version: asked,
    risk: 0,
  },
  { name: 'dot', about: 'Draws graphs', category: 'documents', program: 'dot', version: ['-V'], risk: 0 },
  {
    name: 'gnuplot',
    about: 'Draws charts',
    category: 'documents',
    program: 'gnuplot',
    version: asked,
    risk: 2,
  },
  {
    name: 'ffmpeg',
    about: 'Changes sound and video',
    category: 'media',
    program: 'ffmpeg',
    version: ['-version'],
    risk: 0,
  },
  {
    name: 'exiftool',
    about: 'What a file says about itself',
    category: 'media',
    program: 'exiftool',
    version: ['-ver'],
    risk: 0,
  },
  {
    name: 'convert',
    about: 'Changes pictures (ImageMagick)',
    category: 'media',
    program: 'convert',
    version: ['-version'],
    risk: 0,
  },
  {
    name: 'tesseract',
    about: 'Reads the text in pictures',
    category: 'media',
    program: 'tesseract',
    version: asked,
    risk: 0,
  },
  {
    name: 'shellcheck',
    about: 'Checks shell scripts',
    category: 'code',
    program: 'shellcheck',
    version: asked,
    risk: 0,
  },
  {
    name: 'prettier',
    about: 'Formats code and Markdown',
    category: 'code',
    program: 'prettier',
    version: asked,
    // It loads the settings of the project, which are code.
    risk: 2,
    package: { manager: 'npm', name: 'prettier', pinned: '3.10.1', start: 'bin/prettier.cjs' },
  },
  {
    name: 'eslint',
    about: 'Checks JavaScript',
    category: 'code',
    program: 'eslint',
    version: asked,
    risk: 2,
    package: { manager: 'npm', name: 'eslint', pinned: '10.15.0', start: 'bin/eslint.js' },
  },
  {
    name: 'svgo',
    about: 'Makes SVG pictures smaller',
    category: 'media',
    program: 'svgo',
    version: asked,
    risk: 2,
    package: { manager: 'npm', name: 'svgo', pinned: '4.1.0', start: 'bin/svgo.js' },
  },
  {
    name: 'markdownlint',
    about: 'Checks Markdown',
    category: 'text',
    program: 'markdownlint-cli2',
    version: asked,
    risk: 2,
    package: {
      manager: 'npm',
      name: 'markdownlint-cli2',
      pinned: '0.24.0',
      start: 'markdownlint-cli2-bin.mjs',
    },
  },
  {
    name: 'ruff',
    about: 'Checks and formats Python',
    category: 'code',
    program: 'ruff',
    version: asked,
    risk: 0,
    package: { manager: 'pip', name: 'ruff', pinned: '0.16.9', module: 'ruff' },
  },
  {
    name: 'black',
    about: 'Formats Python',
    category: 'code',
    program: 'black',
    version: asked,
    risk: 0,
    package: { manager: 'pip', name: 'black', pinned: '26.5.1', module: 'black' },
  },
  // These two run whatever the project says.
  {
    name: 'make',
    about: 'Builds by a Makefile',
    category: 'code',
    program: 'make',
    version: asked,
    risk: 2,
  },
  { name: 'cmake', about: 'Prepares a build', category: 'code', program: 'cmake', version: asked, risk: 2 },
]

export function listedProgram(name: string): ListedProgram | undefined {
  return programList.find((listed) => listed.name === name)
}
