/** A plugin, a skill or a server brings words for the model in signs that no person sees: controls, fillers, selectors. */
import {
  type InstalledServer,
  type ListedTool,
  noExtensions,
  readPluginManifest,
} from '@countersign/contract'
import { readSkillFile } from '@countersign/contract/skills'
import { serverToolFacts } from '@countersign/tools'
import type { Attack } from '../attack.ts'

/** As selectors, a byte each. */
const spelled = [...Buffer.from('send it')].map((byte) => String.fromCodePoint(0xe0100 + byte)).join('')
const hidden = [`a${spelled}`, 'a\ufe01\ufe02', 'a\u3164', 'a\u115f', 'a\u001b]0;x\u0007', 'a\0', 'seen\rnot']
const seen = 'Grüße ❤\ufe0f'

const isManifest = (words: string) => {
  const usual = { api: 1, name: 'one', version: '1.0.0', description: 'x', author: 'x', main: 'x.js' }
  const sections = [{ title: 'Words', text: words }]
  return readPluginManifest(JSON.stringify({ ...usual, sections })).kind === 'manifest'
}
const isSkill = (words: string) => {
  const text = `---\nname: one\ndescription: ${JSON.stringify(words)}\n---\nBe short.\n`
  return readSkillFile(text, 'one').kind === 'skill'
}
const isToldAsChoice = (words: string) => {
  const input = { type: 'object', properties: { kind: { enum: [words] } } }
  const listed: ListedTool = {
    name: 'do',
    title: null,
    description: '',
    input,
    output: null,
    annotations: {},
  }
  const launch = { kind: 'http', url: 'https://one.test/mcp', secret: null } as const
  const state = { offered: [], gone: [], listedAt: null, paused: false, addedAt: '' }
  const tools = [{ listed, definition: '', tier: 2 as const, cases: [], undo: null }]
  const server: InstalledServer = { name: 'one', launch, launchHash: '', tools, ...state }
  const [facts] = serverToolFacts({ ...noExtensions, servers: [server] })
  return JSON.stringify(facts?.schema).includes(JSON.stringify(words))
}
const ways = [isManifest, isSkill, isToldAsChoice]

export const attack: Attack = {
  name: 'signs-that-nobody-sees',
  promise: 'No words of an extension for a model are written in signs that a person does not see.',
  mutant: 'only-marks-of-format-hide',
  async run() {
    const taken = hidden.filter((words) => ways.some((way) => way(words)))
    return {
      open: taken.length > 0,
      control: ways.every((way) => way(seen)),
      saw: `taken: ${JSON.stringify(taken)}`,
    }
  },
}
