/** Starts one program of the list with exact arguments, in the sandbox, without network and without a shell. */
import type { Effect } from '@countersign/contract'
import { z } from 'zod'
import {
  executeEffect,
  longestRun,
  programEffect,
  resultOf,
  seeFolder,
  viewedProgram,
} from '../code/program.ts'
import { viewOfArguments } from '../code/program-needs.ts'
import { defineTool, perMinute } from '../definition.ts'
import type { Inspector } from '../inspector.ts'
import { failed } from '../result.ts'
import { commandText, nameText, pathText } from '../text.ts'
import { findListed } from './found-program.ts'
import { type ListedProgram, listedProgram } from './program-list.ts'

export const runCliTool = defineTool({
  name: 'run_cli_tool',
  version: '1',
  description:
    'Run a program of the list (see list_cli_tools) with an array of arguments, sandboxed, without network and shell.',
  input: z.strictObject({
    name: nameText(40),
    args: z.array(commandText(10_000)).max(200).default([]),
    cwd: pathText.default('.'),
    timeout: z.int().min(100).max(longestRun).default(longestRun).describe('Milliseconds'),
  }),
  category: 'cli',
  group: 'cliTools',
  tags: ['command line', 'cli', 'program', 'run', 'jq', 'ffmpeg', 'prettier', 'ruff', 'lint', 'format'],
  effect: 'once',
  rate: perMinute(10),
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  undo: 'restore_workspace',
  describe: ({ name, args }) => `Run ${[name, ...args].map(shown).join(' ')}`,
  preview: ({ name, args, cwd }) => ({
    kind: 'shell',
    command: [name, ...args].map(shown).join(' '),
    cwd,
    sandbox: 'No shell reads this; the workspace can be written; no network.',
  }),
  async effects({ name, args, cwd }, inspect) {
    const listed = listedProgram(name)
    if (!listed) return { kind: 'invalid', reason: unlisted(name) }
    const folder = await seeFolder(cwd, inspect)
    if (folder.kind !== 'folder') return folder
    const { path } = folder.location
    const found = await findListed(listed, path, inspect)
    if (!found) return { kind: 'unavailable', reason: `There is no ${name} here.`, fix: fixOf(listed) }
    const view = viewOfArguments(listed.program, args, path, inspect, found.folders)
    return {
      kind: 'found',
      resources: [viewedProgram(found.program, [...found.argv, ...args], path, inspect, view)],
      effects: [effectOf(listed, [...found.argv, ...args], inspect)],
    }
  },
  async run({ name, args, cwd, timeout }, capabilities, signal) {
    const location = capabilities.files.locate(cwd)
    if (location.root !== 'workspace') return failed(`The working directory ${cwd} is outside the workspace.`)
    // The permit names the whole command; what it was resolved to is what is run.
    const argv = capabilities.shell.bound()
    if (!argv) return failed(`The permit names no program for ${name}.`)
    const outcome = await capabilities.shell.run({
      argv,
      cwd: location.path,
      timeoutMs: timeout,
      signal,
      undoable: true,
    })
    return resultOf(outcome, [name, ...args].map(shown).join(' '), timeout)
  },
})

/** An argument as one reads it: where it ends is always seen. */
export function shown(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)
}

export function unlisted(name: string): string {
  return `${name} is not a program of the list. See list_cli_tools, or use execute_shell.`
}

function effectOf({ risk }: ListedProgram, argv: readonly string[], inspect: Inspector): Effect {
  const object = argv.map(shown).join(' ')
  if (risk === 3) return executeEffect(object)
  const effect = programEffect(object, inspect)
  return risk === 2 ? { ...effect, scope: 'boundary' } : effect
}

export function fixOf(listed: ListedProgram): string {
  return listed.package
    ? `Install it with install_cli_tool, or: apt-get install ${listed.program}`
    : `apt-get install ${aptNames[listed.name] ?? listed.program}`
}

const aptNames: Readonly<Record<string, string>> = {
  rg: 'ripgrep',
  xmllint: 'libxml2-utils',
  pdftotext: 'poppler-utils',
  dot: 'graphviz',
  exiftool: 'libimage-exiftool-perl',
  convert: 'imagemagick',
  tesseract: 'tesseract-ocr',
}
