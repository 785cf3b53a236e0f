/** Owns what the scripted model does in the tour of Home Assistant, and the rule of its operator. */
import type { ReplyCall, ScriptReply, ScriptTurn } from '@countersign/model-servers'

export const heatingRule = `@id("home.heating")
@why("the heating of the house may be set freely")
permit (principal, action == Action::"call", resource == Tool::"call_server_tool")
when {
  context.tier <= 2 &&
  context.server == "home" &&
  context.serverTool == "HassClimateSetTemperature"
};
`

interface Use {
  readonly tool: string
  readonly args: object
}

const use = ({ tool, args }: Use): ReplyCall => ({ name: 'use_tool', args: { tool, args } })

const night: readonly Use[] = [
  { tool: 'home__hass_turn_off', args: { domain: ['light'] } },
  { tool: 'home__hass_climate_set_temperature', args: { name: 'Heating', temperature: 17 } },
  // As Home Assistant has it, turning a lock on locks it.
  { tool: 'home__hass_turn_on', args: { name: 'Front door', domain: ['lock'] } },
]

/** “Good night”, or calls in JSON: all in one turn, or `one after the other`. */
export function goodNight({ lastUser, lastResults, messages }: ScriptTurn): ScriptReply {
  if (lastUser === 'Good night') return nightTurn(lastResults)
  const [, inTurn, list] = /^(one after the other )?(\[.*\])$/s.exec(lastUser) ?? []
  if (list === undefined) return { text: 'All is well.' }
  const uses = (JSON.parse(list) as Use[]).map(use)
  const done = messages
    .slice(messages.findLastIndex(({ role }) => role === 'user'))
    .flatMap((each) => each.calls)
  const next = inTurn === undefined ? (done.length > 0 ? [] : uses) : uses.slice(done.length, done.length + 1)
  return next.length > 0 ? { calls: next } : { text: lastResults.map(({ text }) => text).join('\n') }
}

function nightTurn(results: ScriptTurn['lastResults']): ScriptReply {
  if (results.length === 0)
    return { calls: [{ name: 'search_tools', args: { query: 'home turn off light temperature' } }] }
  if (results.some(({ text }) => text.includes('home__hass_turn_off:'))) return { calls: night.map(use) }
  const isOpen = results.some(({ text }) => text.includes('guests'))
  return {
    text: isOpen
      ? 'Good night. The lamps are off and the heating is at 17 °C. The front door stays open for your guests.'
      : 'Good night. The lamps are off, the heating is at 17 °C, and the front door is locked.',
  }
}
