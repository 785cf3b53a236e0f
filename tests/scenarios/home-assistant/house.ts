/** Owns the state of a small house, and what its services do to it. Both ways into the scripted Home Assistant work on it. */

export interface Entity {
  readonly id: string
  readonly name: string
  readonly area: string
  readonly state: string
  readonly attributes: Readonly<Record<string, string | number>>
}

/** What must fit; what is left out fits everything. */
export interface Constraints {
  readonly name?: string
  readonly area?: string
  readonly domain?: readonly string[]
  readonly device_class?: readonly string[]
}

export type Change = (before: Entity, after: Entity) => void

export interface House {
  entities(): readonly Entity[]
  matching(constraints: Constraints): readonly Entity[]
  /** Throws where there is no such service or no such entity. */
  call(domain: string, service: string, ids: readonly string[], data: ServiceData): void
  watch(change: Change): () => void
}

export interface ServiceData {
  readonly temperature?: number
  readonly brightness_pct?: number
  readonly position?: number
}

const furniture: readonly Entity[] = [
  lamp('kitchen', 'Kitchen lamp', 'Kitchen'),
  lamp('living_room', 'Living room lamp', 'Living room'),
  lamp('hall', 'Hall lamp', 'Hall'),
  {
    id: 'climate.ground_floor',
    name: 'Heating',
    area: 'Living room',
    state: 'heat',
    attributes: { temperature: 21, current_temperature: 21.5 },
  },
  {
    id: 'cover.living_room',
    name: 'Blinds',
    area: 'Living room',
    state: 'open',
    attributes: { device_class: 'blind', current_position: 100 },
  },
  {
    id: 'cover.garage',
    name: 'Garage door',
    area: 'Garage',
    state: 'closed',
    attributes: { device_class: 'garage', current_position: 0 },
  },
  { id: 'lock.front_door', name: 'Front door', area: 'Hall', state: 'unlocked', attributes: {} },
  { id: 'alarm_control_panel.house', name: 'Alarm', area: 'Hall', state: 'disarmed', attributes: {} },
]

function lamp(id: string, name: string, area: string): Entity {
  return { id: `light.${id}`, name, area, state: 'on', attributes: { brightness: 255 } }
}

export function createHouse(): House {
  const known = new Map(furniture.map((entity) => [entity.id, entity]))
  const watchers = new Set<Change>()
  return {
    entities: () => [...known.values()],
    matching: (constraints) => [...known.values()].filter((entity) => fits(entity, constraints)),
    call(domain, service, ids, data) {
      for (const id of ids) {
        const before = known.get(id)
        const after = before && domainOf(before) === domain ? served(before, service, data) : undefined
        if (!before || !after) throw new Error(`no ${domain}.${service} for ${id}`)
        known.set(id, after)
        for (const watcher of watchers) watcher(before, after)
      }
    },
    watch(change) {
      watchers.add(change)
      return () => void watchers.delete(change)
    },
  }
}

export function domainOf({ id }: Pick<Entity, 'id'>): string {
  return id.slice(0, id.indexOf('.'))
}

function fits(entity: Entity, { name, area, domain, device_class: deviceClass }: Constraints): boolean {
  const same = (wanted: string | undefined, is: string) =>
    wanted === undefined || wanted.toLowerCase() === is.toLowerCase()
  const kind = String(entity.attributes['device_class'] ?? '')
  return (
    same(name, entity.name) &&
    same(area, entity.area) &&
    (domain === undefined || domain.includes(domainOf(entity))) &&
    (deviceClass === undefined || deviceClass.includes(kind))
  )
}

function served(entity: Entity, service: string, data: ServiceData): Entity | undefined {
  const become = (state: string, attributes: Entity['attributes'] = {}): Entity => ({
    ...entity,
    state,
    attributes: { ...entity.attributes, ...attributes },
  })
  const { temperature, brightness_pct: brightness = 100, position = 0 } = data
  switch (`${domainOf(entity)}.${service}`) {
    case 'light.turn_on':
      return become('on', { brightness: Math.round((brightness * 255) / 100) })
    case 'light.turn_off':
      return become('off')
    case 'climate.set_temperature':
      return temperature === undefined ? undefined : become(entity.state, { temperature })
    case 'cover.open_cover':
      return become('open', { current_position: 100 })
    case 'cover.close_cover':
      return become('closed', { current_position: 0 })
    case 'cover.set_cover_position':
      return become(position > 0 ? 'open' : 'closed', { current_position: position })
    case 'lock.lock':
      return become('locked')
    case 'lock.unlock':
      return become('unlocked')
    case 'alarm_control_panel.alarm_arm_away':
      return become('armed_away')
    default:
      return undefined
  }
}
