/** Makes the folder of a new tool: a definition that works, its tests, and a line of documentation. Replaces nothing. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { builtinTools, isToolName } from '@countersign/tools'
import { linkProduct } from './link.ts'
import { fileNameOf, type ToolNotFound } from './loaded-tool.ts'
import type { NewRequest } from './request.ts'
import { recordTemplate } from './scaffold-record.ts'
import { type Template, workspaceTemplate } from './scaffold-workspace.ts'

export interface ScaffoldResult {
  readonly kind: 'made'
  readonly name: string
  readonly folder: string
  /** What each file is, in the order in which to read them. */
  readonly files: readonly { readonly path: string; readonly about: string }[]
}

export function scaffold({ name, folder, kind }: NewRequest): ScaffoldResult | ToolNotFound {
  const problem = nameProblem(name)
  if (problem) return problem
  const target = resolve(folder, name)
  if (existsSync(target))
    return {
      kind: 'failed',
      message: `${target} exists already. Nothing was written.`,
      next: 'Take another name, or another place with --folder.',
    }
  const file = fileNameOf(name)
  const template = kind === 'record' ? recordTemplate(name, file) : workspaceTemplate(name, file)
  mkdirSync(target, { recursive: true })
  const write = (path: string, text: string) => writeFileSync(join(target, path), text, { flag: 'wx' })
  write(`${file}.ts`, template.tool)
  write(`${file}.test.ts`, template.test)
  write('README.md', readmeOf(name, template))
  write('package.json', `${JSON.stringify(manifestOf(name), null, 2)}\n`)
  linkProduct(target)
  return {
    kind: 'made',
    name,
    folder: target,
    files: [
      { path: `${file}.ts`, about: 'the tool' },
      { path: `${file}.test.ts`, about: 'its tests' },
      { path: 'README.md', about: 'what it does, in a line' },
      { path: 'package.json', about: 'so that node --test runs them' },
    ],
  }
}

function nameProblem(name: string): ToolNotFound | undefined {
  if (!isToolName(name))
    return {
      kind: 'failed',
      message: `${JSON.stringify(name)} is no name for a tool.`,
      next: 'Use lower case and single underscores, beginning with a letter, at most 64 characters: count_words.',
    }
  if (builtinTools.some((tool) => tool.name === name))
    return {
      kind: 'failed',
      message: `There is a built-in tool ${name}.`,
      next: `Take another name. See what it does with \`countersign tool show ${name}\`.`,
    }
  return undefined
}

/** Says that the files are modules, and how to test them. It names no version: what is installed here is used. */
function manifestOf(name: string) {
  return { name: fileNameOf(name), private: true, type: 'module', scripts: { test: 'node --test' } }
}

function readmeOf(name: string, { line }: Template): string {
  return `# ${name}

${line}

\`\`\`sh
node --test                     # its own tests
countersign tool test .         # fuzz it, and compare its effects with what it does
\`\`\`

\`node_modules/countersign\` leads to the Countersign that made this folder. It belongs to this machine: leave it out
of version control, and install Countersign as a package where the folder is used elsewhere.
`
}
