/** A skill that the tools of examples and tests can use. */
import type { InstalledExtensions, InstalledSkill } from '@countersign/contract'
import { sha256Hex, treeHash } from '@countersign/contract/node'

export const exampleSkillText =
  '---\nname: letters\ndescription: Writes letters to offices.\n---\nBe short. See examples.md.\n'

const texts: Readonly<Record<string, string>> = {
  'SKILL.md': exampleSkillText,
  'examples.md': 'Dear office,\n',
  'scripts/count.py': 'import sys\nprint(len(open(sys.argv[1]).read()))\n',
}

const files = Object.entries(texts).map(([path, text]) => ({
  path,
  size: Buffer.byteLength(text),
  sha256: sha256Hex(text),
  executable: false,
}))

export const exampleSkill: InstalledSkill = {
  name: 'letters',
  description: 'Writes letters to offices.',
  tree: treeHash(files),
  files,
  source: 'a test',
  reviewed: false,
  enabled: true,
  allowedTools: null,
  addedAt: '2026-11-19T00:00:00.000Z',
}

export const exampleExtensions: InstalledExtensions = { servers: [], skills: [exampleSkill], proposals: [] }
