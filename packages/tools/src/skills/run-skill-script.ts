/**
 * Runs a script of a skill, from the files that were accepted, in the sandbox over the workspace, without network and
 * without secrets. What it changes counts when it is taken over, as with every program.
 */
import type { InstalledSkill } from '@countersign/contract'
import { z } from 'zod'
import { longestRun, programEffect, resultOf, seeFolder, usualRun, viewedProgram } from '../code/program.ts'
import { viewOfArguments } from '../code/program-needs.ts'
import { defineTool, perMinute } from '../definition.ts'
import { ownLabel } from '../extensions/entry-tools.ts'
import { failed } from '../result.ts'
import { pathText } from '../text.ts'
import { scriptLabel } from './skill-labels.ts'
import { usableSkill, useOf, wantedSkill } from './usable-skill.ts'

/** Where its files are in the sandbox, read-only. */
export const skillFolder = '/skill'

export const runSkillScript = defineTool({
  name: 'run_skill_script',
  version: '1',
  description:
    'Run a script of a skill (Python, shell or JavaScript) in the workspace, sandboxed, without network. Its files are at /skill.',
  input: z.strictObject({
    skill: wantedSkill,
    /** Its path in the skill. */
    script: pathText,
    args: z
      .array(
        z
          .string()
          .max(4096)
          .regex(/^[^\0]*$/, 'contains NUL'),
      )
      .max(50)
      .default([]),
    cwd: pathText.default('.'),
    timeout_ms: z.int().min(100).max(longestRun).default(usualRun),
  }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'script', 'run', 'program', 'execute'],
  effect: 'once',
  rate: perMinute(10),
  floor: 0,
  output: ownLabel,
  runs: 'executor',
  sandbox: 'workspace-write',
  egress: 'none',
  undo: 'restore_workspace',
  describe: ({ skill, script }) => `Run ${script} of the skill ${skill}`,
  preview: ({ skill, script, args, cwd }) => ({
    kind: 'shell',
    command: [script, ...args].map(quoted).join(' '),
    cwd: cwd === '.' ? 'the workspace' : cwd,
    sandbox: `a script of the skill ${skill}; files can be written; no network, no secrets`,
  }),
  async effects({ skill: name, script, args, cwd }, inspect) {
    const installed = inspect.extensions()
    const skill = usableSkill(installed, name)
    const problem = typeof skill === 'string' ? skill : scriptProblem(skill, script)
    if (problem !== undefined) return { kind: 'invalid', reason: problem }
    const argv = argvOf(script, args)
    const folder = await seeFolder(cwd, inspect)
    if (folder.kind !== 'folder') return folder
    const { path } = folder.location
    const [word = ''] = argv
    const program = await inspect.program(word)
    if (!program)
      return {
        kind: 'unavailable',
        reason: `There is no ${word} in the sandbox.`,
        fix: `apt-get install ${word}`,
      }
    const view = viewOfArguments(word, args, path, inspect)
    return {
      kind: 'found',
      resources: [viewedProgram(program, argv, path, inspect, view), useOf(installed, name)],
      effects: [programEffect(`${script} of the skill ${name}`, inspect)],
    }
  },
  async run({ skill: name, script, args, cwd, timeout_ms }, { extensions, files, shell }, signal) {
    const skill = usableSkill(extensions.installed(), name)
    if (typeof skill === 'string') return failed(skill)
    const label = scriptLabel(skill)
    const location = files.locate(cwd)
    if (location.root !== 'workspace') return failed(`The working directory ${cwd} is outside the workspace.`)
    const outcome = await shell.run({
      argv: argvOf(script, args),
      cwd: location.path,
      timeoutMs: timeout_ms,
      signal,
      undoable: true,
      skill: name,
    })
    return { ...resultOf(outcome, `${script} of the skill ${name}`, timeout_ms), label }
  },
})

const interpreters: readonly (readonly [RegExp, string])[] = [
  [/\.py$/i, 'python3'],
  [/\.(?:sh|bash)$/i, 'bash'],
  [/\.(?:js|mjs|cjs)$/i, 'node'],
]

function argvOf(script: string, args: readonly string[]): string[] {
  const program = interpreters.find(([pattern]) => pattern.test(script))?.[1] ?? 'bash'
  return [program, `${skillFolder}/${script}`, ...args]
}

/** Told without a label, so no word of the skill stands in it. */
function scriptProblem(skill: InstalledSkill, script: string): string | undefined {
  const { name, files, allowedTools } = skill
  if (!files.some(({ path }) => path === script))
    return `The skill ${name} has no file ${script}. use_skill tells which it has.`
  if (!interpreters.some(([pattern]) => pattern.test(script)))
    return `${script} is none of the scripts that can be run: .py, .sh, .js.`
  if (allowedTools !== null && !allowedTools.some((tool) => coversScript(tool, script)))
    return `The skill ${name} asks to be held to tools that do not cover running ${script}. use_skill tells which.`
  return undefined
}

/** Names by which skills ask to run programs. With a pattern, it must name the script. */
function coversScript(tool: string, script: string): boolean {
  const [, name = '', pattern] = /^([^(]*)(?:\((.*)\))?$/s.exec(tool) ?? []
  if (!runners.has(name.toLowerCase())) return false
  return pattern === undefined || pattern === '*' || wordsIn(pattern).includes(script)
}

/** Without what stands for the folder of the skill, and for whatever may follow. */
function wordsIn(pattern: string): string[] {
  return pattern
    .split(/[\s"']+/)
    .map((word) => word.replace(/:?\*$/, '').replace(/^(?:\.\/|\/skill\/|\$\{?\w+\}?\/|\{\w+\}\/)/, ''))
}

const runners = new Set([
  'run_skill_script',
  'bash',
  'shell',
  'execute_shell',
  'execute_python',
  'execute_javascript',
])

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)
}
