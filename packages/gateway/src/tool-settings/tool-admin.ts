/** Owns what the operator sees and switches of the tools. No tool reaches it. */
import {
  CountersignError,
  type OperatorId,
  type Records,
  type ToolFacts,
  type ToolGroupView,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import {
  type GroupName,
  groups,
  isOn,
  programOfSwitch,
  type ToolRegistry,
  type ToolSwitches,
} from '@countersign/tools'
import { choicesOf, switchesCollection, type ToolSourceOptions, withRate } from './tool-source.ts'

export interface KnownTool {
  readonly facts: ToolFacts
  readonly source: string
  readonly enabled: boolean
}

export interface ToolAdmin {
  list(operator: OperatorId): Promise<KnownTool[]>
  groups(operator: OperatorId): Promise<ToolGroupView[]>
  /** A tool by its name, a group with what it depends on, or a program as `program:jq`. */
  turn(
    operator: OperatorId,
    name: string,
    on: boolean,
    actor: Actor,
  ): Promise<{ ledger: number; tools: string[] }>
}

export function createToolAdmin({ registry, records, configured, rates }: ToolSourceOptions): ToolAdmin {
  async function look(operator: OperatorId): Promise<{ known: KnownTool[]; switches: ToolSwitches }> {
    return records.read(operator, async ({ records: rows }) => {
      const { switches, own } = await choicesOf(rows, { registry, configured })
      const made = own.map(({ facts, enabled }) => ({
        facts: withRate(facts, rates),
        source: 'custom',
        enabled: enabled && isOn(facts, switches),
      }))
      const built = registry
        .list()
        .filter(({ facts }) => !facts.hidden)
        .map(({ facts, source }) => ({
          facts: withRate(facts, rates),
          source,
          enabled: isOn(facts, switches),
        }))
      return { known: [...built, ...made], switches }
    })
  }

  return {
    list: async (operator) => (await look(operator)).known,
    async groups(operator) {
      const { known, switches } = await look(operator)
      return Object.entries(groups).map(([name, { title, about, enabled, needs }]) => ({
        name,
        title,
        about,
        enabled: switches.groups.get(name) ?? enabled,
        enabledAtFirst: enabled,
        needs: needs ?? null,
        tools: known.filter(({ facts }) => facts.group === name).map(({ facts }) => facts.name),
      }))
    },
    async turn(operator, name, on, actor) {
      const { known, switches } = await look(operator)
      const ids = switchIds(name, on, known, registry)
      if (!ids)
        throw new CountersignError('not_found', `There is no tool, group or program ${name}.`, {
          next: 'See them with `countersign tool list --all`, programs with `countersign tool try list_cli_tools --run`.',
        })
      const { ledger } = await records.change(operator, async (unit) => {
        for (const id of ids) await setSwitch(unit.records, id, on)
        unit.record({ type: 'tool.switched', actor, data: { name, enabled: on, switches: ids } })
      })
      const before = new Map(known.map(({ facts, enabled }) => [facts.name, enabled]))
      const after = await look(operator)
      const tools = after.known
        .filter(({ facts, enabled }) => before.get(facts.name) !== enabled)
        .map(({ facts }) => facts.name)
      const program = programOfSwitch(name)
      if (program !== undefined && switches.programs.includes(program) !== on) tools.push(name)
      return { ledger, tools }
    },
  }
}

function switchIds(
  name: string,
  on: boolean,
  known: readonly KnownTool[],
  registry: ToolRegistry,
): string[] | undefined {
  if (registry.find(name)?.facts.hidden) return undefined
  if (programOfSwitch(name) !== undefined) return [name]
  if (known.some(({ facts }) => facts.name === name)) return [`tool:${name}`]
  if (!(name in groups)) return undefined
  const needed = on ? (groups[name as GroupName].dependsOn ?? []) : []
  return [name, ...needed].map((group) => `group:${group}`)
}

async function setSwitch(rows: Records, id: string, enabled: boolean): Promise<void> {
  const known = await rows.get(switchesCollection, id)
  if (known) await rows.replace(switchesCollection, id, known.version, { enabled }, null)
  else await rows.insert(switchesCollection, id, { enabled }, null)
}
