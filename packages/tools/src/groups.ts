/** Owns the groups in which tools are switched on and off, and which are on from the start. */

export interface ToolGroup {
  readonly title: string
  readonly about: string
  readonly enabled: boolean
  /** What it takes before it is of use; said where it is switched on. */
  readonly needs?: string
  /** Groups that are switched on with it. */
  readonly dependsOn?: readonly GroupName[]
}

export type GroupName = keyof typeof groupTable

const groupTable = {
  core: {
    title: 'Core',
    about: 'The time, sums and ids; finding and using tools; asking you.',
    enabled: true,
  },
  filesystem: { title: 'Files', about: 'Files of the workspace.', enabled: true },
  tasks: { title: 'Tasks', about: 'Things to do, with dates and priorities.', enabled: true },
  bookmarks: { title: 'Bookmarks', about: 'Addresses worth keeping.', enabled: true },
  notes: { title: 'Notes', about: 'Texts in Markdown.', enabled: true },
  calendar: { title: 'Calendar', about: 'Events and appointments.', enabled: true },
  chats: {
    title: 'Chats',
    about: 'Messages to people whom you let in in a channel.',
    enabled: true,
    needs: 'a channel, such as Telegram or Signal',
  },
  contacts: { title: 'Contacts', about: 'People and how to reach them.', enabled: true },
  finance: { title: 'Finance', about: 'What you spent, on what and when.', enabled: true },
  customData: { title: 'Custom data', about: 'Tables of your own with typed columns.', enabled: true },
  memory: { title: 'Memory', about: 'What it remembers of you across conversations.', enabled: true },
  goals: { title: 'Goals', about: 'What you want to reach, in steps.', enabled: true },
  agents: { title: 'Agents', about: 'Work that is given to a helper in the background.', enabled: true },
  plans: { title: 'Plans', about: 'Steps that are carried out in order, with stops for you.', enabled: true },
  scheduler: { title: 'Schedules', about: 'Work at set times and on events.', enabled: true },
  history: { title: 'History', about: 'Conversations that ended.', enabled: true },
  customTools: { title: 'Custom tools', about: 'Small tools made in a conversation.', enabled: true },
  textUtils: { title: 'Text', about: 'Changing, comparing and encoding texts.', enabled: true },
  dateTime: { title: 'Dates', about: 'Reckoning with dates and times.', enabled: true },
  conversion: { title: 'Conversion', about: 'Units and formats.', enabled: true },
  generation: { title: 'Generation', about: 'Random numbers, names and passwords.', enabled: true },
  extraction: { title: 'Extraction', about: 'Finding addresses and numbers in texts.', enabled: true },
  translation: {
    title: 'Translation',
    about: 'Texts in other languages, by a model.',
    enabled: false,
    needs: 'a model, which costs a little for each text',
  },
  dataExtraction: {
    title: 'Data from texts',
    about: 'Summaries, names, tables and fields of a text, by a model.',
    enabled: false,
    needs: 'a model, which costs a little for each text',
  },
  vectorSearch: {
    title: 'Search by meaning',
    about: 'Finding texts by what they mean, and collections of texts of your own.',
    enabled: false,
    needs: 'a model for embeddings; without one it finds by words',
  },
  validation: { title: 'Validation', about: 'Checking that a value is well formed.', enabled: true },
  listOps: { title: 'Lists', about: 'Sorting, filtering and tabulating.', enabled: true },
  mathStats: { title: 'Statistics', about: 'Averages, shares and counts.', enabled: true },
  codeExecution: {
    title: 'Code execution',
    about: 'Programs in the sandbox.',
    enabled: false,
    needs: 'a sandbox (bubblewrap or podman)',
    dependsOn: ['filesystem'],
  },
  cliTools: {
    title: 'Programs by name',
    about: 'Programs of a list, each of which you switch on.',
    enabled: false,
    needs: 'a sandbox (bubblewrap or podman), and the programs that you switch on',
    dependsOn: ['filesystem', 'codeExecution'],
  },
  codingAgents: {
    title: 'Coding agents',
    about: 'Programs such as Claude Code, Codex or opencode, which work on a copy of your files.',
    enabled: false,
    needs: 'the sandbox bubblewrap, and an agent that you add in a terminal',
    dependsOn: ['filesystem'],
  },
  webFetch: {
    title: 'Web',
    about: 'Requests to the internet.',
    enabled: false,
    needs: 'your consent to reach the internet',
  },
  weather: {
    title: 'Weather',
    about: 'The weather now and in the coming days, from Open-Meteo.',
    enabled: false,
    needs: 'your consent to tell a weather service the place',
  },
  email: {
    title: 'E-mail',
    about: 'Reading, answering and sending e-mail.',
    enabled: false,
    needs: 'an account, which is added in a terminal',
  },
  browser: {
    title: 'Browser',
    about: 'Web pages in Chromium.',
    enabled: false,
    needs: 'Chromium',
    dependsOn: ['webFetch'],
  },
  git: {
    title: 'Git',
    about: 'Version control of the workspace.',
    enabled: false,
    needs: 'git',
    dependsOn: ['filesystem'],
  },
  pdf: {
    title: 'PDF',
    about: 'Reading and making PDF documents.',
    enabled: false,
    needs: 'a sandbox (bubblewrap or podman)',
    dependsOn: ['filesystem'],
  },
  image: {
    title: 'Pictures',
    about: 'Looking at pictures, making and changing them, and pictures in another size or format.',
    enabled: false,
    needs: 'a sandbox (bubblewrap or podman) and, to make pictures, a model for them',
    dependsOn: ['filesystem'],
  },
  audio: {
    title: 'Sound',
    about: 'Reading aloud, writing down what is said, and what a recording is.',
    enabled: false,
    needs: 'a sandbox (bubblewrap or podman), ffmpeg and, for speech, models for it',
    dependsOn: ['filesystem'],
  },
  servers: {
    title: 'Servers',
    about: 'Tools of servers that you let in (Model Context Protocol).',
    enabled: true,
  },
  skills: {
    title: 'Skills',
    about: 'Instructions with files and scripts that you let in (Agent Skills).',
    enabled: true,
  },
  devices: {
    title: 'Other computers',
    about: 'Files, programs and more on computers that you paired.',
    enabled: true,
  },
} as const satisfies Readonly<
  Record<string, Omit<ToolGroup, 'dependsOn'> & { readonly dependsOn?: readonly string[] }>
>

export const groups: Readonly<Record<GroupName, ToolGroup>> = groupTable
