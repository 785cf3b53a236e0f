import {
  type ApprovalView,
  argumentLines,
  buildWhat,
  canonicalText,
  chatCard,
  type Effect,
  type JsonObject,
  type JsonValue,
  Preview,
} from '@countersign/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCatalogue, isToolName } from './catalogue.ts'
import { type EffectsResult, parseArgs, type ToolDefinition, toFacts } from './definition.ts'
import { type GroupName, groups } from './groups.ts'
import { builtinTools } from './index.ts'
import { createBareWorkspace } from './testing/bare-workspace.ts'
import { furnishWorkspace, makeWorld } from './testing/example-world.ts'
import { type ExampleIds, exampleAccount, exampleFor, exampleNames } from './testing/examples.ts'
import { createRecordToolRunner } from './testing/record-tool-runner.ts'
import { testNodeInspector } from './testing/test-node.ts'

const catalogue = createCatalogue(builtinTools)
const offered = builtinTools.filter(({ hidden }) => !hidden)
const names = builtinTools.map(({ name }) => name)
const workspace = createBareWorkspace()
const context = createRecordToolRunner({ catalogue })
let ids: ExampleIds

beforeAll(async () => {
  furnishWorkspace(workspace.root)
  ids = await makeWorld(async (tool, args) => {
    const { result } = await context.use(toolNamed(tool), args)
    expect(result.ok, result.text).toBe(true)
    return result.text
  })
})
afterAll(() => workspace.remove())

describe('every tool', () => {
  it.each(builtinTools.map((tool) => [tool.name, tool] as const))('%s says what it is', (_, tool) => {
    expect(isToolName(tool.name)).toBe(true)
    expect(tool.description.trim().length).toBeGreaterThan(10)
    expect(tool.description).toMatch(/^\p{Lu}.*[.]$/su)
    expect(tool.tags.length).toBeGreaterThan(0)
    expect(tool.version).toMatch(/^[1-9]\d*$/)
    expect(tool.category).toMatch(/^[a-z]+$/)
    expect(groups).toHaveProperty(tool.group)
    expect(typeof tool.describe).toBe('function')
    expect(typeof tool.preview).toBe('function')
    if (tool.runs === 'operator') expect(typeof tool.question).toBe('function')
    else if (tool.runs === 'unwrapped') expect(typeof tool.unwrap).toBe('function')
    else {
      expect(typeof tool.effects).toBe('function')
      expect(typeof tool.run).toBe('function')
    }
  })

  it('is described in few words', () => {
    const longest = offered.map(({ name, description }) => ({ name, length: description.length }))
    for (const { name, length } of longest) expect(length, name).toBeLessThanOrEqual(280)
  })

  it('has its own name, and is undone by a tool that exists', () => {
    expect(new Set(names).size).toBe(names.length)
    for (const { name, undo } of builtinTools) if (undo !== undefined) expect(names, name).toContain(undo)
  })

  it('has an example, and nothing else has', () => {
    expect(exampleNames().toSorted()).toEqual(offered.map(({ name }) => name).toSorted())
  })
})

describe('the example of every tool', () => {
  it.each(offered.map((tool) => [tool.name, tool] as const))(
    '%s has a headline and a preview that are the same twice',
    (_, tool) => {
      const args = parsed(tool, exampleFor(tool.name, ids))
      const shown = () => [tool.describe(args), Preview.parse(tool.preview(args))]
      expect(shown()).toEqual(shown())
      expect(tool.describe(args)).toMatch(/^\S(?:[^\n]*\S)?$/)
    },
  )

  it.each(offered.map((tool) => [tool.name, tool] as const))(
    '%s can say what it would do',
    async (_, tool) => {
      if (tool.runs === 'operator' || tool.runs === 'unwrapped') return
      const found = await foundFor(tool)
      if (found.kind !== 'found') throw new Error(found.reason)
      expect(await foundFor(tool)).toEqual(found)
      // A write that can be taken back needs somebody who takes it back.
      if (isReversibleWrite(found.effects)) expect(tool.undo, tool.name).toBeDefined()
    },
  )
})

describe('what is said of a call', () => {
  it.each(offered.filter(({ runs }) => runs === 'gateway').map((tool) => [tool.name, tool] as const))(
    'is the same of %s when it is made a day after it was asked for',
    async (_, tool) => {
      const asked = context.now
      const found = await foundFor(tool)
      context.asked = asked
      context.now = new Date(asked.getTime() + 25 * 3_600_000)
      try {
        expect(await foundFor(tool)).toEqual(found)
      } finally {
        context.now = asked
        delete context.asked
      }
    },
  )
})

describe('a card', () => {
  it.each(offered.map((tool) => [tool.name, tool] as const))(
    'of %s shows every text of its arguments in its headline or its preview, and beside them',
    (_, tool) => {
      const example = exampleFor(tool.name, ids)
      for (const [where, wanted] of marked(tool, example)) {
        const args = parseArgs(tool, wanted)
        if (args.kind !== 'args' || !JSON.stringify(args.args).includes(token)) continue
        const what = buildWhat(toFacts(tool), canonicalText(args.args), [])
        const seen = JSON.stringify([what.headline, what.preview]).includes(token)
        expect(seen || shownBeside.has(`${tool.name} ${where}`), `${tool.name} ${where}`).toBe(true)
        expect(argumentLines(what.args).some(({ whole, path }) => `${path} ${whole}`.includes(token))).toBe(
          true,
        )
      }
    },
  )

  it.each(offered.map((tool) => [tool.name, tool] as const))(
    'of %s shows hostile texts as harmless',
    (_, tool) => {
      const example = exampleFor(tool.name, ids)
      const places = textsIn(example)
      fc.assert(
        fc.property(hostile, (text) => {
          for (const location of places) {
            const args = parseArgs(tool, replaced(example, location, text))
            if (args.kind === 'args') expect(cardText(tool, args.args)).not.toMatch(dangerous)
          }
        }),
        { numRuns: 25 },
      )
    },
  )
})

describe('the catalogue is complete', () => {
  const wanted: Readonly<Record<string, string>> = {
    files: 'read_file write_file list_directory search_files download_file file_info delete_file copy_file',
    utilities: `get_current_datetime date_diff date_add calculate statistics convert_units generate_uuid
      generate_password random_number hash_text encode_decode count_text extract_from_text transform_text compare_text
      regex format_json parse_csv generate_csv array_operations validate system_info`,
    git: 'git_status git_diff git_log git_commit git_add git_branch git_checkout',
    code: 'execute_javascript execute_python execute_shell compile_code package_manager',
    cli: 'run_cli_tool list_cli_tools install_cli_tool',
    coding: 'run_coding_task list_coding_agents get_task_result list_task_results',
    web: 'http_request fetch_web_page search_web json_api read_web',
    weather: 'get_weather get_weather_forecast',
    mail: 'send_email list_emails read_email delete_email search_emails reply_email',
    tasks: 'add_task batch_add_tasks list_tasks complete_task update_task delete_task',
    bookmarks: 'add_bookmark batch_add_bookmarks list_bookmarks update_bookmark delete_bookmark',
    notes: 'add_note batch_add_notes list_notes update_note delete_note',
    calendar: `add_calendar_event batch_add_calendar_events list_calendar_events update_calendar_event
      delete_calendar_event`,
    finance:
      'add_expense batch_add_expenses parse_receipt query_expenses export_expenses expense_summary delete_expense',
    contacts: 'add_contact batch_add_contacts list_contacts update_contact delete_contact',
    data: `list_custom_tables describe_custom_table create_custom_table delete_custom_table add_custom_record
      batch_add_custom_records list_custom_records search_custom_records get_custom_record update_custom_record
      delete_custom_record add_custom_column`,
    custom: 'create_tool list_custom_tools delete_custom_tool toggle_custom_tool',
    meta: 'search_tools get_tool_help use_tool batch_use_tool',
    memory: 'about_operator remember batch_remember recall forget list_memories boost_memory memory_stats',
    goals: `create_goal list_goals update_goal decompose_goal get_next_actions complete_step get_goal_details
      goal_stats`,
    scheduler: `create_scheduled_task list_scheduled_tasks update_scheduled_task delete_scheduled_task
      get_task_history trigger_task`,
    plans: `create_plan add_plan_step execute_plan pause_plan resume_plan delete_plan list_plans get_plan_details`,
    history: 'search_agent_history',
    chats: 'list_chats send_chat_message',
    pdf: 'read_pdf create_pdf pdf_info',
    image: 'analyze_image generate_image edit_image image_variation resize_image',
    audio: 'text_to_speech speech_to_text translate_audio audio_info split_audio',
    agents: 'start_agent_task list_agent_tasks get_agent_task cancel_agent_task',
    skills: 'use_skill read_skill_file run_skill_script propose_skill',
    devices: `device_list_files device_read_file device_write_file device_delete_file device_run_program
      device_open_address device_capture_screen device_take_picture device_read_clipboard device_write_clipboard
      device_notify device_location`,
  }
  const counts: Readonly<Record<string, number>> = {
    files: 8,
    utilities: 22,
    git: 7,
    code: 5,
    cli: 3,
    coding: 4,
    web: 5,
    weather: 2,
    finance: 7,
    data: 12,
    custom: 4,
    meta: 4,
    memory: 8,
    goals: 8,
    scheduler: 6,
    plans: 8,
    history: 1,
    agents: 4,
  }
  const listOf = (category: string) => (wanted[category] ?? '').split(/\s+/)

  it.each(Object.keys(wanted))('in %s', (category) => {
    const there = offered.filter((tool) => tool.category === category).map(({ name }) => name)
    expect(there).toEqual(expect.arrayContaining(listOf(category)))
    if (counts[category] !== undefined) expect(listOf(category).length).toBe(counts[category])
  })

  it('has twenty-six tools for what people keep', () => {
    const kept = ['tasks', 'bookmarks', 'notes', 'calendar', 'contacts'].flatMap(listOf)
    expect(new Set(kept).size).toBe(26)
    expect(
      offered.filter(({ group }) => ['tasks', 'bookmarks', 'notes', 'calendar', 'contacts'].includes(group)),
    ).toHaveLength(26)
  })

  it('has its tools in the groups that people switch', () => {
    const grouped: Partial<Record<GroupName, string>> = {
      core: 'get_current_time calculate generate_uuid',
      filesystem: 'create_folder write_file read_file list_directory delete_file move_file',
      dateTime: 'format_date date_diff add_to_date',
      extraction: 'extract_urls extract_emails extract_numbers',
      validation: 'validate_email validate_url test_regex',
      listOps: 'sort_list deduplicate create_table',
      mathStats: 'calculate_percentage calculate_statistics count_words',
      customTools: 'create_tool list_custom_tools delete_custom_tool toggle_custom_tool',
    }
    for (const [group, list] of Object.entries(grouped)) {
      const there = offered.filter((tool) => tool.group === group).map(({ name }) => name)
      expect(there, group).toEqual(expect.arrayContaining(list.split(' ')))
    }
    const least: Partial<Record<GroupName, number>> = {
      textUtils: 9,
      conversion: 10,
      generation: 5,
      customData: 10,
    }
    for (const [group, count] of Object.entries(least))
      expect(offered.filter((tool) => tool.group === group).length, group).toBeGreaterThanOrEqual(count)
  })

  it('has on from the start what needs nothing, and off what reaches out or runs programs', () => {
    const on = Object.entries(groups).flatMap(([name, { enabled }]) => (enabled ? [name] : []))
    expect(on.toSorted()).toEqual(
      `agents bookmarks calendar chats contacts conversion core customData customTools dateTime devices extraction filesystem finance
      generation goals history listOps mathStats memory notes plans scheduler servers skills tasks textUtils validation`.split(
        /\s+/,
      ),
    )
    for (const name of [
      'codeExecution',
      'cliTools',
      'codingAgents',
      'webFetch',
      'weather',
      'email',
      'vectorSearch',
      'git',
      'pdf',
      'image',
      'audio',
      'translation',
      'dataExtraction',
    ] as const) {
      expect(groups[name].enabled, name).toBe(false)
      expect(groups[name].needs, name).toBeDefined()
    }
  })

  it.each([
    ['list_tasks', 'limit', 50, 20],
    ['list_notes', 'limit', 50, 20],
    ['list_calendar_events', 'limit', 50, 20],
    ['list_contacts', 'limit', 50, 20],
    ['list_bookmarks', 'limit', 50, 20],
    ['query_expenses', 'limit', 100, 50],
    ['list_custom_records', 'limit', 50, 20],
    ['search_custom_records', 'limit', 50, 20],
    ['list_goals', 'limit', 30, 10],
    ['list_plans', 'limit', 50, 20],
    ['list_agent_tasks', 'limit', 50, 20],
    ['list_memories', 'limit', 50, 20],
    ['recall', 'limit', 50, 10],
    ['get_next_actions', 'limit', 20, 5],
    ['list_scheduled_tasks', 'limit', 200, 50],
    ['get_task_history', 'limit', 50, 10],
    ['search_agent_history', 'limit', 5, 5],
    ['list_task_results', 'limit', 50, 20],
    ['git_log', 'limit', 50, 10],
    ['search_files', 'maxResults', 100, 50],
    ['search_web', 'maxResults', 20, 10],
    ['list_emails', 'limit', 50, 20],
    ['search_emails', 'limit', 100, 50],
    ['semantic_search', 'topK', 50, 10],
  ])('bounds %s: %s is at most %i and %i by itself', (name, param, max, standard) => {
    const tool = toolNamed(name)
    expect(tool.limit).toEqual({ param, max, default: standard })
    const example = exampleFor(name, ids)
    expect(parsed(tool, without(example, param))[param]).toBe(standard)
    expect(parsed(tool, { ...example, [param]: max + 1 })[param]).toBe(max)
    expect(parsed(tool, { ...example, [param]: max - 1 })[param]).toBe(max - 1)
    expect(parseArgs(tool, { ...example, [param]: 0 }).kind).toBe('invalid')
  })

  it.each([
    ['execute_javascript', 10],
    ['execute_python', 10],
    ['execute_shell', 5],
    ['compile_code', 5],
    ['package_manager', 3],
    ['search_web', 20],
  ])('lets %s be called %i times a minute', (name, calls) => {
    expect(toolNamed(name).rate).toEqual({ calls, seconds: 60 })
  })
})

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '\u001B[31mred\u001B[0m',
    'a\r\nApproval 000 · T0',
    'invoice\u202Efdp.exe',
    '\u2066x\u2069\u2028y\u2029',
    '\u0000\u0007\u009B1m',
    '\uD800',
    'a\u200Bb\uFEFFc',
    '```\n## Approved\n```',
  ),
)

/** Of what a terminal or a chat would obey; line ends are the card's own, and a tab moves nothing. */
const dangerous = /[^\P{Cc}\n\t]|[\u200B\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069\uFEFF]|\p{Cs}/u

function cardText(tool: ToolDefinition, args: JsonObject): string {
  const { runs: _, ...facts } = toFacts(tool)
  const approval = {
    id: 'apr_1',
    code: 'K7Q',
    state: 'pending',
    digest: '',
    card: {
      tool: facts.name,
      args: JSON.stringify(args),
      headline: facts.describe(args),
      tier: 3,
      chain: [],
      preview: facts.preview(args),
      effects: [],
      why: { reason: 'Asks.', rules: [], raised: [] },
    },
    asks: { en: { why: 'Asks.', stops: '' } },
    agentSays: '',
    options: [],
    createdAt: '2026-03-01T12:00:00.000Z',
    expiresAt: '2026-03-01T13:00:00.000Z',
  } as unknown as ApprovalView
  return chatCard(approval, { now: new Date('2026-03-01T12:00:00.000Z'), review: 'https://example.org' })
}

function foundFor(tool: ToolDefinition): Promise<EffectsResult> {
  const example = exampleFor(tool.name, ids)
  const account = { ...exampleAccount, name: 'home', secret: 'mail.home' }
  const args = tool.filled === undefined ? example : { ...example, [tool.filled]: account }
  if (tool.runs === 'node') return tool.effects(parsed(tool, args), testNodeInspector(workspace.inspect))
  return tool.runs === 'executor' ? workspace.resolve(tool, args) : context.resolve(tool, args)
}

function isReversibleWrite(effects: readonly Effect[]): boolean {
  const changes = effects.filter(({ verb }) => verb === 'write' || verb === 'delete')
  return changes.length > 0 && effects.every(({ reversible, scope }) => reversible && scope === 'inside')
}

function toolNamed(name: string): ToolDefinition {
  const tool = catalogue.definition(name)
  if (!tool) throw new Error(`There is no ${name}.`)
  return tool
}

function parsed(tool: ToolDefinition, args: JsonObject): JsonObject {
  const outcome = parseArgs(tool, args)
  if (outcome.kind === 'invalid') throw new Error(`${tool.name}: ${outcome.problems.join('; ')}`)
  return outcome.args
}

function without(args: JsonObject, param: string): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name]) => name !== param))
}

type Path = readonly (string | number)[]

function textsIn(value: JsonValue | undefined, path: Path = []): Path[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value)
    ? value.flatMap((each, location) => textsIn(each, [...path, location]))
    : Object.entries(value).flatMap(([name, each]) => textsIn(each, [...path, name]))
}

const token = 'qzqtoken'

/** What only narrows a look. It stands among the arguments and nowhere else. */
const shownBeside = new Set([
  'json_api path',
  'list_plans search',
  'search_tools category',
  'write_binary_file base64',
])

/** The example with a mark in each of its texts, and in each parameter that it leaves out. */
function marked(tool: ToolDefinition, example: JsonObject): [string, JsonValue][] {
  const absent = Object.keys((toFacts(tool).schema['properties'] ?? {}) as JsonObject).filter(
    (name) => !(name in example),
  )
  const values: JsonValue[] = [token, [token], { [token]: token }, `${token}.org`, `https://${token}.org/`]
  return [
    ...textsIn(example).flatMap((location) =>
      values
        .filter((value) => typeof value === 'string')
        .map((value): [string, JsonValue] => [location.join('.'), replaced(example, location, value)]),
    ),
    ...absent.flatMap((name) =>
      values.map((value): [string, JsonValue] => [name, { ...example, [name]: value }]),
    ),
  ]
}

function replaced(value: JsonValue, [step, ...rest]: Path, text: string): JsonValue {
  if (step === undefined) return text
  const copy = structuredClone(value) as Record<string | number, JsonValue>
  copy[step] = replaced(copy[step] ?? null, rest, text)
  return copy as JsonValue
}
