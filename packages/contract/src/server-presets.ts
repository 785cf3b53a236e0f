/**
 * Owns what we reviewed of servers that many people use: how each is started or reached, and which tier its tools count for.
 * It only suggests: what the operator accepts counts. A tool that is not named here leaves the operator's hands.
 */
import type { AcceptedTool, ListedTool, ServerLaunch } from './extension.ts'
import type { Tier } from './trust.ts'

export interface ToolSuggestion {
  readonly tier: Tier
  readonly cases: AcceptedTool['cases']
  readonly undo: string | null
}

export interface ServerPreset {
  readonly about: string
  /** What is left open is named by the operator. */
  readonly launch:
    | Extract<ServerLaunch, { kind: 'http' }>
    | {
        readonly kind: 'stdio'
        /** The npm package, of which the operator names the version. */
        readonly npm: string
        /** After the program of the package. */
        readonly words: readonly string[]
        readonly sockets?: true
      }
  /** By the name, or by its beginning with a star behind it. The longest that fits counts. */
  readonly tools: Readonly<Record<string, Tier | Partial<ToolSuggestion>>>
}

/** Blinds and the like, and no door and no garage. */
const softCovers = {
  argument: 'device_class',
  values: ['awning', 'blind', 'curtain', 'shade', 'shutter'],
  tier: 2,
} as const

/** Whatever it is not said to be could be a lock, a door, an alarm or a garage. */
const switched = (undo: string): Partial<ToolSuggestion> => ({
  tier: 4,
  cases: [
    { argument: 'domain', values: ['light'], tier: 1 },
    { argument: 'domain', values: ['climate', 'fan', 'humidifier', 'media_player', 'switch'], tier: 2 },
    { ...softCovers, values: [...softCovers.values] },
  ],
  undo,
})
const moved: Partial<ToolSuggestion> = { tier: 4, cases: [{ ...softCovers, values: [...softCovers.values] }] }

export const serverPresets: Readonly<Record<string, ServerPreset>> = {
  'home-assistant': {
    about:
      'Home Assistant, by its own server. Lights can be undone, climate crosses a boundary, doors are critical.',
    launch: { kind: 'http', url: 'http://homeassistant.local:8123/api/mcp', secret: 'home_assistant' },
    tools: {
      GetLiveContext: 0,
      GetDateTime: 0,
      'todo_get_*': 0,
      'calendar_get_*': 0,
      HassTurnOn: switched('HassTurnOff'),
      HassTurnOff: switched('HassTurnOn'),
      HassLightSet: 1,
      HassClimate: 2,
      'HassClimate*': 2,
      'HassFan*': 2,
      'HassHumidifier*': 2,
      'HassMedia*': 1,
      'HassSetVolume*': 1,
      'HassList*': 1,
      'HassVacuum*': 2,
      'HassSetPosition*': moved,
      'HassOpenCover*': moved,
      'HassCloseCover*': moved,
      'HassLock*': 4,
      'HassUnlock*': 4,
      'HassAlarm*': 4,
      // Scripts of the house are tools with names of their own, and what they do is not said.
      '*': 4,
    },
  },
  github: {
    about: 'GitHub, by its own server. Looking crosses a boundary, every change leaves your hands.',
    launch: { kind: 'http', url: 'https://api.githubcopilot.com/mcp/', secret: 'github' },
    tools: {
      'get_*': 2,
      'list_*': 2,
      'search_*': 2,
      issue_read: 2,
      pull_request_read: 2,
      delete_file: 4,
      merge_pull_request: 4,
      create_repository: 4,
    },
  },
  filesystem: {
    about: 'Files of the folders that you name. What it writes cannot be undone.',
    launch: { kind: 'stdio', npm: '@modelcontextprotocol/server-filesystem', words: ['/workspace'] },
    tools: {
      'read_*': 0,
      'list_*': 0,
      directory_tree: 0,
      search_files: 0,
      get_file_info: 0,
      create_directory: 1,
    },
  },
  playwright: {
    about:
      'Web pages in a browser of its own, which reaches the hosts that you name. Clicking and typing leave your hands.',
    launch: {
      kind: 'stdio',
      npm: '@playwright/mcp',
      // A script at /usr/bin starts Debian's Chromium, and reads what is not there.
      words: [
        '--headless',
        '--isolated',
        '--no-sandbox',
        '--executable-path',
        '/usr/lib/chromium/chromium',
        '--proxy-server',
        'http://127.0.0.1:3128',
        '--output-dir',
        '/tmp/output',
      ],
      sockets: true,
    },
    tools: {
      browser_snapshot: 0,
      browser_console_messages: 0,
      browser_network_requests: 0,
      browser_take_screenshot: 0,
      browser_wait_for: 0,
      browser_tabs: 1,
      browser_close: 1,
      browser_resize: 1,
      browser_hover: 2,
      browser_navigate: 2,
      browser_navigate_back: 2,
    },
  },
}

export function serverPreset(name: string): ServerPreset | undefined {
  return Object.hasOwn(serverPresets, name) ? serverPresets[name] : undefined
}

/**
 * What a tool counts for until the operator says otherwise. A server can call itself harmless, so its hints alone leave it at
 * what others see or cannot be undone; a preset may say less, and a hint of harm never does.
 */
export function suggestedTool(
  { name, annotations }: Pick<ListedTool, 'name' | 'annotations'>,
  preset: ServerPreset | undefined,
): ToolSuggestion {
  const own: Readonly<Record<string, Tier | Partial<ToolSuggestion>>> = { 'mcp:*': 2, ...preset?.tools }
  const [key] = Object.keys(own)
    .filter((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name))
    .toSorted((left, right) => right.length - left.length)
  const found = key === undefined ? undefined : own[key]
  const given: Partial<ToolSuggestion> = typeof found === 'object' ? found : { tier: found ?? 3 }
  const harm: Tier = annotations['destructiveHint'] === true ? 3 : 0
  const raised = (tier: Tier) => Math.max(tier, harm) as Tier
  return {
    tier: raised(given.tier ?? 3),
    cases: (given.cases ?? []).map((each) => ({ ...each, tier: raised(each.tier) })),
    undo: given.undo ?? null,
  }
}
