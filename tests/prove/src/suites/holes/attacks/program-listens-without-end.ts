/** A program opens streams on which nothing is ever told, and keeps one after its token was taken. */
import { setTimeout as sleep } from 'node:timers/promises'
import { letIn } from '../asking-program.ts'
import type { Attack } from '../attack.ts'

const version = '2026-07-28'
const streams = 40
const patienceMs = 3_000

export const attack: Attack = {
  name: 'program-listens-without-end',
  promise: 'A program keeps no stream open beside its questions, and none after its token was taken.',
  mutant: 'programs-listen-for-changes',
  async run(stage) {
    const scene = await stage.scene()
    const program = await letIn(scene)
    const over = new AbortController()
    stage.afterwards(() => over.abort())
    const meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'attacker', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const heads = { 'mcp-protocol-version': version, 'mcp-method': 'subscriptions/listen' }
    const asked = { _meta: meta, notifications: { toolsListChanged: true } }
    const answers = await Promise.all(
      Array.from({ length: streams }, () => program.speak('subscriptions/listen', asked, heads, over.signal)),
    )
    const taken = answers.filter(({ ok }) => ok)
    await scene.gateway.client.revokeProgram(program.name)
    const texts = taken.map((answer) => answer.text().catch(() => ''))
    const ended = await Promise.race([Promise.all(texts), sleep(patienceMs, undefined)])
    return {
      open: ended === undefined,
      control: ended?.every((text) => text.includes('subscriptions/acknowledged')) === true,
      saw: `${taken.length} of ${streams} streams; after the token was taken ${ended ? 'none was left' : 'they stayed'}`,
    }
  },
}
