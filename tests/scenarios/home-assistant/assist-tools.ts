/**
 * Owns the tools that Home Assistant's own server offers (the Assist API): their names, what they take, and what they answer.
 * As there, one tool switches everything: `HassTurnOn` locks a lock, `HassTurnOff` unlocks it, and scripts of the house are
 * tools with names of their own.
 */
import { type Constraints, domainOf, type Entity, type House } from './house.ts'

export interface AssistTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

type Arguments = Constraints & {
  readonly temperature?: number
  readonly brightness?: number
  readonly position?: number
}

const text = { type: 'string' }
const texts = { type: 'array', items: text }
const place = { name: text, area: text, floor: text }
const target = { ...place, domain: texts, device_class: texts }

function tool(name: string, description: string, properties: object = {}): AssistTool {
  // Home Assistant names nothing as required.
  return { name, description, inputSchema: { type: 'object', properties } }
}

export const assistTools: readonly AssistTool[] = [
  tool(
    'HassTurnOn',
    'Turns on/opens/presses a device or entity. For locks, this performs a ‘lock’ action.',
    target,
  ),
  tool(
    'HassTurnOff',
    'Turns off/closes a device or entity. For locks, this performs an ‘unlock’ action.',
    target,
  ),
  tool('HassLightSet', 'Sets the brightness percentage or color of a light', {
    ...place,
    domain: texts,
    brightness: { type: 'integer', minimum: 0, maximum: 100 },
  }),
  tool('HassClimateSetTemperature', 'Sets the target temperature of a climate device or entity', {
    temperature: { type: 'number' },
    ...place,
  }),
  tool('HassSetPosition', 'Sets the position of a device or entity', {
    ...target,
    position: { type: 'integer', minimum: 0, maximum: 100 },
  }),
  tool('GetDateTime', 'Provides the current date and time.'),
  tool(
    'GetLiveContext',
    'Provides real-time information about the current state, value, or mode of devices, sensors, entities, or areas.',
  ),
  tool('arm_the_alarm', 'Arms the alarm of the house'),
]

/** Throws what the house cannot do. */
export function callAssist(house: House, name: string, given: unknown): unknown {
  const args = (given ?? {}) as Arguments
  switch (name) {
    case 'HassTurnOn':
      return switched(house, args, { light: 'turn_on', lock: 'lock', cover: 'open_cover' })
    case 'HassTurnOff':
      return switched(house, args, { light: 'turn_off', lock: 'unlock', cover: 'close_cover' })
    case 'HassLightSet':
      return served(house, house.matching({ ...args, domain: ['light'] }), 'turn_on', {
        brightness_pct: args.brightness ?? 100,
      })
    case 'HassClimateSetTemperature':
      return served(house, house.matching({ ...args, domain: ['climate'] }), 'set_temperature', {
        temperature: args.temperature ?? 20,
      })
    case 'HassSetPosition':
      return served(house, house.matching({ ...args, domain: ['cover'] }), 'set_cover_position', {
        position: args.position ?? 0,
      })
    case 'arm_the_alarm':
      return served(house, house.matching({ domain: ['alarm_control_panel'] }), 'alarm_arm_away')
    case 'GetDateTime':
      return { success: true, result: { date: '2026-11-19', time: '22:45:00', weekday: 'Thursday' } }
    case 'GetLiveContext':
      return { success: true, result: liveContext(house) }
    default:
      throw new Error(`Tool "${name}" not found`)
  }
}

function switched(house: House, args: Arguments, services: Readonly<Record<string, string>>): unknown {
  const targets = house.matching(args).filter((entity) => services[domainOf(entity)] !== undefined)
  if (targets.length === 0) throw new Error('MatchFailedError')
  for (const entity of targets)
    house.call(domainOf(entity), services[domainOf(entity)] ?? '', [entity.id], {})
  return done(targets)
}

function served(
  house: House,
  targets: readonly Entity[],
  service: string,
  data: Parameters<House['call']>[3] = {},
): unknown {
  if (targets.length === 0) throw new Error('MatchFailedError')
  for (const entity of targets) house.call(domainOf(entity), service, [entity.id], data)
  return done(targets)
}

function done(targets: readonly Entity[]): unknown {
  return {
    speech: {},
    response_type: 'action_done',
    data: { success: targets.map(({ id, name }) => ({ name, type: 'entity', id })), failed: [] },
  }
}

function liveContext(house: House): string {
  const told = house
    .entities()
    .map(({ id, name, area, state }) =>
      [`- names: ${name}`, `  domain: ${domainOf({ id })}`, `  state: '${state}'`, `  areas: ${area}`].join(
        '\n',
      ),
    )
  return `Live Context: An overview of the areas and the devices in this smart home:\n${told.join('\n')}\n`
}
