/** A program sends messages that break the protocol, with lines in them that look like those of the gateway's own log. */
import { letIn } from '../asking-program.ts'
import type { Attack } from '../attack.ts'

const forged = '2026-01-01T00:00:00.000Z the operator let everybody in'
const version = `2099-01-01\n${forged}`

export const attack: Attack = {
  name: 'program-writes-the-log',
  promise: 'Nothing that a program sends stands in the log of the gateway.',
  mutant: 'broken-messages-are-logged',
  async run(stage) {
    const scene = await stage.scene()
    const program = await letIn(scene)
    const meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: version, version },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const answers = [
      await program.speak('tools/list', { _meta: meta }),
      await program.speak(version, { _meta: meta }),
      await program.speak(version, {}),
      await program.speak('tools/call', { name: version, arguments: {} }),
      await program.speak('tools/call', { name: 'ask', arguments: { question: 1, [version]: version } }),
      await program.speak('tools/list', {}, { 'mcp-protocol-version': '2099-01-01' }),
    ]
    const log = scene.gateway.log()
    return {
      open: log.includes(forged) || log.includes('2099-01-01'),
      control: answers.some(({ ok }) => !ok),
      saw: `answered with ${answers.map(({ status }) => status).join(', ')}; the log ends with ${JSON.stringify(log.slice(-300))}`,
    }
  },
}
