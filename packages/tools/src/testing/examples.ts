/** Owns one example of arguments for every tool that is offered. For tests only. */
import type { JsonObject } from '@countersign/contract'

/** Names that `exampleWorld` gives its records; the ids come with them. */
export type ExampleRecord =
  | 'task'
  | 'bookmark'
  | 'note'
  | 'event'
  | 'contact'
  | 'expense'
  | 'row'
  | 'memory'
  | 'goal'
  | 'step'
  | 'errand'
  | 'plan'
  | 'running'
  | 'paused'
  | 'schedule'

export type ExampleIds = Readonly<Record<ExampleRecord, string>>

const noIds: ExampleIds = {
  task: 'task_01980000-0000-7000-8000-000000000001',
  bookmark: 'bookmark_01980000-0000-7000-8000-000000000002',
  note: 'note_01980000-0000-7000-8000-000000000003',
  event: 'event_01980000-0000-7000-8000-000000000004',
  contact: 'contact_01980000-0000-7000-8000-000000000005',
  expense: 'exp_0198000000007000800000000000000f',
  row: 'row_01980000-0000-7000-8000-000000000006',
  memory: 'mem_01980000000070008000000000000007',
  goal: 'goal_01980000000070008000000000000008',
  step: 'step_01980000000070008000000000000009',
  errand: 'atask_0198000000007000800000000000000a',
  plan: 'plan_0198000000007000800000000000000b',
  running: 'plan_0198000000007000800000000000000c',
  paused: 'plan_0198000000007000800000000000000d',
  schedule: 'sched_0198000000007000800000000000000e',
}

const page = 'https://shop.example.org/orders'
const letter = 'home/INBOX/1700000000/12'

/** The account that the examples for e-mail speak of. */
export const exampleAccount = {
  address: 'me@example.org',
  displayName: 'Mia Example',
  user: 'me@example.org',
  imap: { host: 'imap.example.org', port: 993, security: 'tls' },
  smtp: { host: 'smtp.example.org', port: 465, security: 'tls' },
} as const

/** With ids of records that are there, the call can also be made in the example world. */
export function exampleFor(tool: string, ids: ExampleIds = noIds): JsonObject {
  const example = examplesWith(ids)[tool]
  if (!example) throw new Error(`There is no example for ${tool}.`)
  return example
}

export function exampleNames(): string[] {
  return Object.keys(examplesWith(noIds))
}

function examplesWith(ids: ExampleIds): Readonly<Record<string, JsonObject>> {
  return {
    ...about,
    ...files,
    ...documents,
    ...utilities,
    ...language,
    ...vectors,
    ...git,
    ...code,
    ...web,
    ...recordsWith(ids),
    ...tables(ids),
    ...custom,
    ...assistant(ids),
    ...work(ids),
    ...devices,
    ...skills,
  }
}

const about: Record<string, JsonObject> = {
  search_tools: { query: 'send email' },
  get_tool_help: { tool: 'add_task' },
  use_tool: { tool: 'read_file', args: { path: 'report.txt' } },
  batch_use_tool: {
    operations: [
      { tool: 'add_task', args: { title: 'Buy milk' } },
      { tool: 'read_file', args: { path: 'report.txt' } },
    ],
  },
  ask_operator: { question: 'Which of the two hotels?', choices: ['Astoria', 'Bristol'] },
}

const files: Record<string, JsonObject> = {
  read_file: { path: 'report.txt' },
  write_file: { path: 'letters/landlord.txt', content: 'Dear Ms Brown,\n\nthe tap drips.\n' },
  edit_file: { path: 'report.txt', oldText: 'the invoice of May', newText: 'the invoices of May and June' },
  write_binary_file: { path: 'photos/dot.gif', base64: 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=' },
  list_directory: { path: 'photos' },
  search_files: { query: 'invoice' },
  file_info: { path: 'report.txt' },
  copy_file: { source: 'report.txt', destination: 'backup/report.txt' },
  move_file: { source: 'photos/cat.jpg', destination: 'photos/tabby.jpg' },
  delete_file: { path: 'report.txt' },
  create_folder: { path: 'taxes/2026' },
  download_file: { url: 'https://example.org/map.png', path: 'photos/map.png' },
  send_file: { path: 'report.txt' },
}

/** Of the skill that the bare workspace has. */
const skills: Record<string, JsonObject> = {
  use_skill: { name: 'letters' },
  propose_skill: {
    name: 'invoices',
    text: '---\nname: invoices\ndescription: How invoices of this household are filed.\n---\nPut them in invoices/YEAR.\n',
    files: [{ path: 'scripts/file.py', text: 'print("filed")\n' }],
  },
  read_skill_file: { skill: 'letters', path: 'examples.md' },
  run_skill_script: { skill: 'letters', script: 'scripts/count.py', args: ['report.txt'] },
}

/** Of a computer that is called laptop and shares the same files. */
const devices: Record<string, JsonObject> = {
  device_list_files: { node: 'laptop', path: 'photos' },
  device_read_file: { node: 'laptop', path: 'report.txt' },
  device_write_file: { node: 'laptop', path: 'notes/today.txt', content: 'Water the plants.\n' },
  device_delete_file: { node: 'laptop', path: 'report.txt' },
  device_run_program: { node: 'laptop', argv: ['/usr/bin/sort', 'report.txt'], cwd: '.', stdin: 'b a' },
  device_open_address: { node: 'laptop', url: 'https://example.org/' },
  device_capture_screen: { node: 'laptop' },
  device_take_picture: { node: 'laptop' },
  device_read_clipboard: { node: 'laptop' },
  device_write_clipboard: { node: 'laptop', text: 'IBAN DE00 1234' },
  device_notify: { node: 'laptop', title: 'Tea', text: 'The tea is ready.' },
  device_location: { node: 'laptop' },
}

const documents: Record<string, JsonObject> = {
  read_document: { path: 'letters/offer.docx' },
  read_pdf: { path: 'letters/offer.pdf', pages: '1-2' },
  pdf_info: { path: 'letters/offer.pdf' },
  create_pdf: { content: '# Offer\n\nTwelve chairs.', outputPath: 'letters/answer.pdf' },
  resize_image: { image: 'photos/dot.png', width: 320, height: 240 },
  analyze_image: { image: 'photos/dot.png', question: 'Which colour is it?' },
  generate_image: {
    prompt: 'A lighthouse in the rain',
    size: '1024x1024',
    outputPath: 'photos/lighthouse.png',
  },
  edit_image: { image: 'photos/dot.png', prompt: 'Make it blue', outputPath: 'photos/blue.png' },
  image_variation: { image: 'photos/dot.png', n: 2 },
  text_to_speech: { text: 'Good morning, Anna.', outputPath: 'sounds/morning.mp3' },
  speech_to_text: { audio: 'sounds/bell.wav', language: 'en' },
  translate_audio: { audio: 'sounds/bell.wav' },
  audio_info: { path: 'sounds/bell.wav' },
  split_audio: { path: 'sounds/bell.wav', splitPoints: [0.5] },
}

const utilities: Record<string, JsonObject> = {
  get_current_datetime: { timezone: 'Europe/Berlin' },
  get_current_time: { timezone: 'Asia/Tokyo' },
  calculate: { expression: '1299 / 12' },
  generate_uuid: { count: 2 },
  system_info: {},
  change_case: { text: 'date of birth', case: 'snake' },
  compare_text: { text1: 'red\ngreen', text2: 'red\nblue' },
  encode_decode: { text: 'aGVsbG8=', operation: 'decode' },
  find_in_text: { text: 'to be or not to be', find: 'be' },
  hash_text: { text: 'hello', algorithm: 'md5' },
  join_text: { items: ['Anna', 'Ben', 'Carl'], lastSeparator: ' and ' },
  regex: { pattern: '(\\w+)@', text: 'anna@example.org' },
  remove_diacritics: { text: 'Crème brûlée' },
  replace_text: { text: 'My favourite colour', find: 'colour', replacement: 'color' },
  slugify_text: { text: 'My Summer in Łódź' },
  split_text: { text: 'eggs, bread, milk', separator: ',' },
  transform_text: { text: 'keep off the grass', operation: 'uppercase' },
  truncate_text: { text: 'A long walk along the river to the old mill', length: 20 },
  wrap_text: { text: 'A long walk along the river to the old mill', width: 20 },
  add_to_date: { date: '2026-01-30', months: 3, days: 5 },
  date_add: { date: '2026-01-30', amount: 90, unit: 'days' },
  date_diff: { date1: '2026-01-30', date2: '2026-12-25', unit: 'days' },
  format_date: { date: '2026-01-30', format: 'dddd, D MMMM YYYY' },
  convert_color: { color: '#ff8800' },
  convert_length: { value: 26.2, from: 'miles', to: 'kilometers' },
  convert_number_base: { value: '255', to: 2 },
  convert_temperature: { value: 350, from: 'fahrenheit', to: 'celsius' },
  convert_time_zone: { date: '2026-01-30T09:00', from: 'Europe/London', to: 'America/New_York' },
  convert_units: { value: 5, from: 'gal', to: 'l' },
  convert_weight: { value: 180, from: 'pounds', to: 'kilograms' },
  format_json: { json: '{"name":"Anna","age":42}' },
  generate_csv: { data: [{ name: 'Anna', age: 42 }] },
  parse_csv: { csv: 'name,age\nAnna,42' },
  generate_password: { length: 24 },
  generate_random_string: { length: 8, alphabet: 'hex' },
  pick_random: { items: ['Anna', 'Ben', 'Carl'] },
  random_number: { min: 1, max: 100 },
  roll_dice: { dice: '2d6' },
  extract_emails: { text: 'Ask anna@example.org or ben@example.org.' },
  extract_from_text: { text: 'Orders AB-1234 and CD-5678', pattern: '[A-Z]{2}-\\d{4}' },
  extract_numbers: { text: 'The room is 80 and breakfast 12.50.' },
  extract_urls: { text: 'See https://example.org/a and https://example.org/b.' },
  test_regex: { pattern: '^\\d{5}$', samples: ['10115', '1011'] },
  validate: { value: 'GB82 WEST 1234 5698 7654 32', type: 'iban' },
  validate_email: { email: 'anna@example.org' },
  validate_url: { url: 'https://example.org/a?b=c' },
  array_operations: { array: [{ city: 'Rome' }, { city: 'Oslo' }], operation: 'group', key: 'city' },
  create_table: { rows: [{ name: 'Anna', age: 42 }] },
  deduplicate: { items: ['a', 'b', 'a'] },
  sort_list: { items: ['pear', 'apple', 'fig'] },
  calculate_percentage: { operation: 'percent_of', x: 15, y: 240 },
  calculate_statistics: { numbers: [3, 8, 13] },
  count_text: { text: 'One sentence. And another.' },
  count_words: { text: 'the cat and the dog' },
  statistics: { numbers: [3, 8, 13] },
}

const language: Record<string, JsonObject> = {
  translate_text: { text: 'Der Zug kommt um neun.', targetLanguage: 'English' },
  batch_translate: { texts: ['Suppe', 'Brot'], targetLanguage: 'en' },
  detect_language: { text: 'Der Zug kommt um neun.' },
  list_languages: {},
  extract_structured_data: {
    text: 'Two tickets to Graz on 3 May',
    schema: { type: 'object', properties: { tickets: { type: 'integer' }, to: { type: 'string' } } },
  },
  extract_entities: { text: 'Anna meets Ben in Graz on 3 May.' },
  extract_table_data: { text: 'Anna 42, Ben 38, Carl 51', columns: ['name', 'age'] },
  summarize_text: {
    text: 'The train left at nine. It was late in Graz, and the bus was gone.',
    length: 'short',
  },
}

const vectors: Record<string, JsonObject> = {
  create_embedding: { text: 'A boat on the lake' },
  semantic_search: { query: 'what to do in autumn', collection: 'notes' },
  upsert_vectors: {
    collection: 'recipes',
    vectors: [{ id: 'pea-soup', text: 'A soup of green peas with mint.', metadata: { minutes: 30 } }],
  },
  delete_vectors: { collection: 'recipes', ids: ['lentil-stew'] },
  list_vector_collections: {},
  create_vector_collection: { name: 'travel', description: 'Where to go' },
  similarity_score: { text1: 'The train is late.', text2: 'The railway has a delay.' },
}

const git: Record<string, JsonObject> = {
  git_status: { path: 'project' },
  git_diff: { path: 'project' },
  git_log: { path: 'project', limit: 5 },
  git_add: { path: 'project', files: ['app.ts'] },
  git_commit: { path: 'project', message: 'Greet the reader' },
  git_branch: { path: 'project', action: 'create', name: 'quieter' },
  git_checkout: { path: 'site', target: 'draft' },
}

const code: Record<string, JsonObject> = {
  execute_shell: { command: 'wc -l report.txt' },
  execute_javascript: { code: 'console.log([3, 8, 13].reduce((sum, each) => sum + each))' },
  execute_python: { code: 'print(sum([3, 8, 13]))' },
  compile_code: { code: 'int main(void) { return 0; }\n', language: 'c' },
  run_cli_tool: { name: 'jq', args: ['.chair', 'prices.json'] },
  list_cli_tools: { category: 'data' },
  install_cli_tool: { name: 'prettier' },
  run_coding_task: { provider: 'custom:example', prompt: 'Fix the failing test in project/app.ts' },
  list_coding_agents: {},
  get_task_result: { result_id: 'ctask_01980000000070008000000000000010' },
  list_task_results: { limit: 5 },
  package_manager: { manager: 'npm', action: 'install', packages: ['left-pad'] },
}

const web: Record<string, JsonObject> = {
  http_request: { url: 'https://api.example.org/orders', method: 'POST', body: '{"item":"tea"}' },
  fetch_web_page: { url: 'https://example.org/news' },
  search_web: {
    query: 'opening hours of the city museum',
    provider: 'searxng',
    endpoint: 'https://search.example.org',
  },
  json_api: { url: 'https://api.example.org/rates', path: 'rates.0' },
  read_web: { question: 'When does the city museum open on Sundays?' },
  get_weather: { location: 'Zagreb', country: 'HR' },
  get_weather_forecast: { location: 'Zagreb', days: 3 },
  list_emails: { folder: 'INBOX', unreadOnly: true },
  search_emails: { query: 'invoice', from: 'ana@example.org', since: '2026-03-01' },
  read_email: { emailId: letter },
  send_email: { to: 'ana@example.org', subject: 'The invoice', body: 'Hello Ana,\nhere it is.' },
  reply_email: { emailId: letter, body: 'Thank you, I will be there.' },
  delete_email: { emailId: letter },
  browser_navigate: { url: page },
  browser_extract_text: { url: page, selector: 'main' },
  browser_extract_html: { url: page },
  browser_screenshot: { url: page, path: 'photos/orders.png' },
  browser_click: { url: page, selector: 'text=Next' },
  browser_fill: { url: page, selector: '#postcode', value: '10115' },
  browser_evaluate: { url: page, code: 'document.title' },
}

function recordsWith(ids: ExampleIds): Record<string, JsonObject> {
  return {
    add_task: { title: 'Buy milk', dueDate: '2026-03-06', priority: 'high' },
    batch_add_tasks: { tasks: [{ title: 'Vacuum' }, { title: 'Wash up', category: 'home' }] },
    list_tasks: { status: 'pending' },
    complete_task: { taskId: ids.task },
    update_task: { taskId: ids.task, priority: 'urgent', dueDate: '2026-03-09' },
    delete_task: { taskId: ids.task },
    add_bookmark: { url: 'https://example.org/bread', title: 'Bread without kneading', tags: ['baking'] },
    batch_add_bookmarks: { bookmarks: [{ url: 'https://example.org/a' }, { url: 'https://example.org/b' }] },
    list_bookmarks: { tag: 'baking' },
    update_bookmark: { bookmarkId: ids.bookmark, title: 'A better title', isFavorite: true },
    delete_bookmark: { bookmarkId: ids.bookmark },
    add_note: { title: 'Spare key', content: 'It is with **Ms Brown**.' },
    batch_add_notes: {
      notes: [
        { title: 'Idea', content: 'A path along the wall.' },
        { title: 'Colour', content: 'Grey, not white.' },
      ],
    },
    list_notes: { search: 'key' },
    update_note: { noteId: ids.note, content: 'It is with Mr Green now.' },
    delete_note: { noteId: ids.note },
    add_calendar_event: { title: 'Dentist', startTime: '2026-03-05T15:00:00', location: '5 Oak Street' },
    batch_add_calendar_events: {
      events: [
        { title: 'Maths exam', startTime: '2026-06-02T09:00:00' },
        { title: 'Holiday', startTime: '2026-07-01', endTime: '2026-07-14' },
      ],
    },
    list_calendar_events: { from: '2026-03-01', to: '2026-03-31' },
    update_calendar_event: { eventId: ids.event, startTime: '2026-03-05T16:00:00', location: null },
    delete_calendar_event: { eventId: ids.event },
    add_contact: { name: 'Anna Becker', email: 'anna@example.org', phone: '+49 30 901820' },
    batch_add_contacts: { contacts: [{ name: 'Ben' }, { name: 'Carla', relationship: 'colleague' }] },
    list_contacts: { search: 'anna' },
    update_contact: { contactId: ids.contact, address: '5 Oak Street', company: null },
    delete_contact: { contactId: ids.contact },
    add_expense: { amount: '12.10', currency: 'EUR', category: 'food', description: 'Lunch with Anna' },
    batch_add_expenses: {
      expenses: [
        { amount: '3.20', currency: 'EUR', category: 'transport', description: 'Bus', date: '2026-03-01' },
        { amount: '1200', currency: 'JPY', category: 'food', description: 'Ramen', payee: 'Ichi' },
      ],
    },
    parse_receipt: { text: 'Corner Cafe\n2026-03-01\nSoup 6.50\nTotal EUR 6.50' },
    query_expenses: { from: '2026-03-01', to: '2026-03-31', category: 'food' },
    expense_summary: { by: 'month', from: '2026-01-01' },
    export_expenses: { format: 'csv', path: 'exports/march.csv', from: '2026-03-01', to: '2026-03-31' },
    update_expense: { expenseId: ids.expense, amount: '13.50' },
    delete_expense: { expenseId: ids.expense },
  }
}

function tables(ids: ExampleIds): Record<string, JsonObject> {
  return {
    list_custom_tables: {},
    describe_custom_table: { table: 'books' },
    create_custom_table: {
      table: 'expenses',
      columns: [
        { name: 'day', type: 'date', required: true },
        { name: 'amount', type: 'number' },
      ],
    },
    delete_custom_table: { table: 'books' },
    add_custom_column: { table: 'books', column: { name: 'read_on', type: 'date' } },
    add_custom_record: { table: 'books', data: { title: 'Persuasion', pages: 249 } },
    batch_add_custom_records: {
      table: 'books',
      records: [{ title: 'Ivanhoe' }, { title: 'Kim', pages: 368 }],
    },
    list_custom_records: { table: 'books', sortBy: 'pages' },
    search_custom_records: { table: 'books', query: 'emma' },
    get_custom_record: { table: 'books', recordId: ids.row },
    update_custom_record: { table: 'books', recordId: ids.row, data: { pages: 512 } },
    delete_custom_record: { table: 'books', recordId: ids.row },
  }
}

const custom: Record<string, JsonObject> = {
  create_tool: {
    name: 'add_tip',
    description: 'Add a tip to a bill.',
    parameters: { type: 'object', properties: { bill: { type: 'number' } }, required: ['bill'] },
    code: 'return { total: Math.round(args.bill * 112) / 100 }',
  },
  list_custom_tools: {},
  delete_custom_tool: { name: 'commission' },
  toggle_custom_tool: { name: 'commission', enabled: false },
}

function assistant(ids: ExampleIds): Record<string, JsonObject> {
  return {
    remember: { content: 'Lives in Graz', type: 'fact', tags: ['home'] },
    batch_remember: {
      memories: [
        { content: 'Likes tea', type: 'preference' },
        { content: 'Moved in May', type: 'event' },
      ],
    },
    recall: { query: 'how long should answers be' },
    forget: { memoryId: ids.memory },
    list_memories: { type: 'preference' },
    boost_memory: { memoryId: ids.memory, amount: 0.2 },
    about_operator: {},
    memory_stats: {},
    search_agent_history: { query: 'boat trip', timeframe: 'last_month' },
    create_goal: { title: 'Run a half marathon', priority: 7, due: '2026-09-20', parentId: ids.goal },
    list_goals: { status: 'active' },
    update_goal: { goalId: ids.goal, priority: 8, due: '2026-06-30', limits: { tierMax: 1 } },
    decompose_goal: {
      goalId: ids.goal,
      steps: [{ title: 'Buy shoes' }, { title: 'Run three times a week', dependsOn: [1] }],
      subGoals: [{ title: 'Sleep eight hours', priority: 4 }],
    },
    get_next_actions: { goalId: ids.goal },
    complete_step: { stepId: ids.step },
    get_goal_details: { goalId: ids.goal },
    goal_stats: {},
    add_goal_note: { goalId: ids.goal, text: 'The doctor agrees.' },
    save_learning: { goalId: ids.goal, text: 'Mornings work better than evenings.' },
  }
}

function work(ids: ExampleIds): Record<string, JsonObject> {
  return {
    start_agent_task: {
      title: 'Compare courses',
      instructions: 'Compare the three evening courses in courses.md and name the cheapest.',
      goalId: ids.goal,
    },
    list_agent_tasks: { status: 'active' },
    get_agent_task: { taskId: ids.errand },
    cancel_agent_task: { taskId: ids.errand },
    create_plan: {
      name: 'Weekly report',
      goal: 'Know what is open',
      steps: [
        {
          type: 'tool_call',
          id: 'open',
          name: 'Open tasks',
          tool: 'list_tasks',
          args: { status: 'pending' },
        },
      ],
    },
    add_plan_step: {
      planId: ids.plan,
      type: 'user_input',
      name: 'Ask for more',
      question: 'Anything else?',
      dependsOn: ['note_the_milk'],
    },
    update_plan_step: { planId: ids.plan, stepId: 'note_the_milk', args: { title: 'Oats' } },
    execute_plan: { planId: ids.plan },
    pause_plan: { planId: ids.running },
    resume_plan: { planId: ids.paused },
    delete_plan: { planId: ids.plan },
    list_plans: { status: 'pending' },
    get_plan_details: { planId: ids.plan },
    create_scheduled_task: {
      name: 'Morning brief',
      schedule: 'every weekday 8:00',
      timezone: 'Europe/Zagreb',
      prompt: 'Tell me what is due today.',
    },
    list_scheduled_tasks: { status: 'active' },
    update_scheduled_task: {
      taskId: ids.schedule,
      schedule: 'on the 1st of every month at 7:00',
      prompt: 'File the scan and tell me of it.',
    },
    delete_scheduled_task: { taskId: ids.schedule },
    get_task_history: { taskId: ids.schedule },
    trigger_task: { taskId: ids.schedule },
    list_chats: { channel: 'telegram' },
    send_chat_message: { to: 'telegram/4711', text: 'I am ten minutes late.' },
  }
}
