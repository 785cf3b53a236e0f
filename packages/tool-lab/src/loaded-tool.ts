/** Finds the tools that are to be looked at: in a file of their author, or among the built-in ones by name. */
import { existsSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtinTools, type ToolDefinition } from '@countersign/tools'
import type { Ambient } from './ambient.ts'
import { firstLineOf } from './check.ts'
import { Example } from './example.ts'

export interface LoadedTool {
  readonly definition: ToolDefinition
  /** Null for a built-in tool. */
  readonly file: string | null
  readonly examples: readonly Example[]
}

export type TestTarget =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'built-in'; readonly definition: ToolDefinition }
  | ToolNotFound

export interface ToolNotFound {
  readonly kind: 'failed'
  readonly message: string
  readonly next: string
}

const endings = ['.ts', '.mts', '.js', '.mjs']

export function fileNameOf(tool: string): string {
  return tool.replaceAll('_', '-')
}

/** A name is looked for among the built-in tools first, and then as the folder that `tool new` makes. */
export function targetOf(what: string, folder: string): TestTarget {
  const path = resolve(folder, what)
  const definition = builtinTools.find(({ name }) => name === what)
  if (definition) return { kind: 'built-in', definition }
  if (!existsSync(path)) {
    const isName = /^[a-z0-9_]+$/.test(what)
    return {
      kind: 'failed',
      message: isName
        ? `There is no built-in tool ${what}, and no folder of that name here.`
        : `There is no file ${path}.`,
      next: isName
        ? `See the built-in ones with \`countersign tool list --all\`, or make it with \`countersign tool new ${what}\`.`
        : 'Give the file that exports the definition, or the name of a built-in tool.',
    }
  }
  if (statSync(path).isFile()) return { kind: 'file', file: path }
  const names = endings.map((ending) => join(path, `${fileNameOf(basename(path))}${ending}`))
  const file = names.find((name) => existsSync(name))
  if (file !== undefined) return { kind: 'file', file }
  return {
    kind: 'failed',
    message: `The folder ${path} holds no ${basename(names[0] ?? '')}.`,
    next: 'Give the file that exports the definition.',
  }
}

/** Loads the file, and with it whatever the file imports. */
export async function loadTools(
  file: string,
  ambient: Ambient,
): Promise<{ readonly kind: 'loaded'; readonly specimens: readonly LoadedTool[] } | ToolNotFound> {
  let module: Record<string, unknown>
  try {
    module = await ambient.loading(() => import(pathToFileURL(file).href) as Promise<Record<string, unknown>>)
  } catch (error) {
    return {
      kind: 'failed',
      message: `${file} cannot be loaded: ${firstLineOf(error)}`,
      next: 'Correct it, and see with `node` that it loads. TypeScript must be such that Node can strip its types.',
    }
  }
  const definitions = [...new Set(Object.values(module).flat().filter(isDefinition))]
  const [first] = definitions.filter(({ hidden }) => hidden !== true).concat(definitions)
  if (!first) {
    return {
      kind: 'failed',
      message: `${file} exports no tool.`,
      next: 'Export what `defineTool` gives: `export const myTool = defineTool({ … })`.',
    }
  }
  const examples = Example.array().safeParse(module.examples ?? [])
  if (!examples.success) {
    const issue = examples.error.issues[0]
    return {
      kind: 'failed',
      message: `The examples of ${file} have another shape: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`,
      next: 'Write them as `export const examples = [{ args: { … }, files: { "a.txt": "…" } }]`.',
    }
  }
  const specimens = definitions.map((definition) => ({
    definition,
    file,
    examples: examples.data.filter(({ tool }) => (tool ?? first.name) === definition.name),
  }))
  return { kind: 'loaded', specimens }
}

/** By its looks only: whether it is a sound one is for a check to say. */
function isDefinition(value: unknown): value is ToolDefinition {
  return typeof value === 'object' && value !== null && 'name' in value && 'input' in value && 'runs' in value
}
