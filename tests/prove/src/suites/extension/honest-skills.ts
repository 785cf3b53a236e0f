/** Owns the honest skills beside the hostile ones: the same shapes, out of folders and archives, whose tasks have to work. */
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { JsonObject } from '@countersign/contract'
import { filesInArchive } from '@countersign/contract/skills'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { type ExtensionBench, isOk, textOf } from './bench.ts'
import { filesOf, letInSkill, reviewSkill, skillFolder, wishOf } from './skills.ts'

export interface SkillTask {
  readonly tool: string
  readonly input: JsonObject
  /** What the answer holds when it was done. */
  readonly answer: string
}

export interface HonestSkill {
  readonly name: string
  letIn(bench: ExtensionBench): Promise<void>
  task(random: Random): readonly SkillTask[]
}

function count(skill: string, script: string, random: Random): SkillTask {
  const words = Array.from({ length: 1 + random.below(20) }, () => 'word')
  return { tool: 'run_skill_script', input: { skill, script, args: words }, answer: `${words.length} words` }
}

export const honestSkills: readonly HonestSkill[] = [
  {
    name: 'counting',
    async letIn(bench) {
      const folder = skillFolder(
        bench,
        'counting',
        {
          'scripts/count.py': 'import sys\nprint(len(sys.argv) - 1, "words")',
          'scripts/count.js': 'console.log(process.argv.length - 2, "words")',
          'scripts/count.sh': 'cat /skill/references/unit.txt > /dev/null && echo "$# words"',
          'references/unit.txt': 'words',
        },
        {
          head: 'license: MIT\ncompatibility: Python 3, Node or bash\nallowed-tools: Read Bash(scripts/count.py:*) Bash(scripts/count.js *) Bash(scripts/count.sh:*)\n',
        },
      )
      await reviewSkill(bench, 'counting', await letInSkill(bench, 'counting', folder))
    },
    task: (random) => [count('counting', `scripts/count.${random.pick(['py', 'js', 'sh'])}`, random)],
  },
  {
    name: 'letters',
    async letIn(bench) {
      const before = skillFolder(
        bench,
        'letters',
        { 'références/ä ö.md': 'Sehr geehrte' },
        { body: 'Begin with: Dear.' },
      )
      const files = await letInSkill(bench, 'letters', await unpacked(bench, before))
      const after = skillFolder(
        bench,
        'letters',
        { 'références/ä ö.md': 'Hallo' },
        { body: 'Begin with: Good day.' },
      )
      const update = await bench.ask('add_skill', await wishOf(bench, 'letters', after, files))
      if (!isOk(update)) throw new Error(textOf(update))
      await reviewSkill(bench, 'letters', await filesOf(after))
    },
    task: () => [
      { tool: 'use_skill', input: { name: 'letters' }, answer: 'Begin with: Good day.' },
      { tool: 'read_skill_file', input: { skill: 'letters', path: 'références/ä ö.md' }, answer: 'Hallo' },
    ],
  },
]

/** By way of an archive, as other programs write it. */
async function unpacked(bench: ExtensionBench, folder: string): Promise<string> {
  const archive = join(bench.folder(), 'letters.tar.gz')
  execFileSync('tar', ['czf', archive, '-C', dirname(folder), 'letters'])
  const found = await filesInArchive(archive)
  if (found.kind === 'refused') throw new Error(found.reason)
  return skillFolder(
    bench,
    'letters',
    Object.fromEntries([...found.files].map(([path, { bytes }]) => [path, Buffer.from(bytes).toString()])),
  )
}
