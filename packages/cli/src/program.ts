/** Builds the command line from the table and runs one command. Every way out of it is an answer and an exit code. */
import { Command, CommanderError } from 'commander'
import type { CommandRow, OptionRow } from './command-row.ts'
import { commandTable, globalOptions, nounSummaries } from './command-table.ts'
import { createContext, type GlobalFlags, type OptionValues, widthOfTerminal } from './context.ts'
import { parseDuration } from './duration.ts'
import { defaultVerb, rootHelp } from './help.ts'
import type { Host } from './host.ts'
import { type CommandAnswer, done, failed, written } from './output/answer.ts'
import { failureOf, usage } from './output/failure.ts'
import { wrap } from './output/wrap.ts'
import { version } from './version.ts'

/** Resolves with the exit code, also after a failure. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const json = wantsOption(argv, ['--json'])
  const began = performance.now()
  const answer = await answerTo(argv, host, json)
  const made = written(answer, json)
  const width = widthOfTerminal(host, { json, plain: wantsOption(argv, ['--plain']) })
  const [output, errors] = [wrap(made.output, width), wrap(made.errors, width)]
  const { exit } = made
  if (output !== '') host.output.write(output)
  if (errors !== '') host.errors.write(errors)
  if (wantsOption(argv, ['-v', '--verbose']))
    host.errors.write(`exit ${exit} after ${Math.round(performance.now() - began)} ms\n`)
  return exit
}

async function answerTo(argv: readonly string[], host: Host, json: boolean): Promise<CommandAnswer> {
  const parts: Parts = { help: '', answer: undefined }
  const program = buildProgram(rowsFor(argv), parts, async (row, args, given, globals) => {
    const flags = flagsOf(globals, json)
    if (typeof flags === 'string') return usage(flags, row.name)
    const handler = await row.load()
    const context = createContext(host, flags)
    const whole = needsWholeIds(row)
      ? await (await import('./short-id.ts')).withWholeIds(context, row, args, given)
      : { args, options: given }
    // What stands for every command is taken by the program, wherever it was written.
    const options = flags.yes ? { ...whole.options, yes: true } : whole.options
    return handler(context, whole.args, options).finally(context.rest)
  })
  try {
    if (wordsIn(argv).length === 0 && !wantsOption(argv, ['--version'])) return helpPage()
    await program.parseAsync(understood(argv), { from: 'user' })
    return parts.answer ?? usage('No command was given.')
  } catch (error) {
    if (error instanceof CommanderError) return answerOf(error, parts, commandIn(argv))
    return failed(await failureOf(error))
  }
}

function helpPage(): CommandAnswer {
  const help = rootHelp(commandTable, nounSummaries, globalOptions)
  return done({ help }, help)
}

/** A noun alone shows what there is; a word that names nothing is wrong, also where help was asked for. */
function understood(argv: readonly string[]): string[] {
  const [first = '', second] = wordsIn(argv)
  const asksHelp = wantsOption(argv, helpFlags)
  const isNoun = first in nounSummaries
  const known = first === 'help' || isNoun || commandTable.some((row) => row.name === first)
  const wrongVerb =
    isNoun && second !== undefined && !commandTable.some((row) => row.name === `${first} ${second}`)
  if (asksHelp && (!known || wrongVerb)) return argv.filter((word) => !helpFlags.includes(word))
  const verb = isNoun && second === undefined && !asksHelp ? defaultVerb(first, commandTable) : undefined
  return verb === undefined ? [...argv] : argv.toSpliced(argv.indexOf(first) + 1, 0, verb)
}

const helpFlags: readonly string[] = ['-h', '--help']
const takesValue = new Set(['--url', '--wait'])

/** The words of the command line that are no options, and no values of those that every command has. */
function wordsIn(argv: readonly string[]): string[] {
  return argv.filter((word, at) => !word.startsWith('-') && !takesValue.has(argv[at - 1] ?? ''))
}

/** Most commands name nothing by its id, and need not load what finds it. */
function needsWholeIds(row: CommandRow): boolean {
  return [...row.arguments, ...row.options].some(({ id }) => id !== undefined)
}

interface Parts {
  help: string
  answer: CommandAnswer | undefined
}

type Invoke = (
  row: CommandRow,
  args: string[],
  options: OptionValues,
  globals: OptionValues,
) => Promise<CommandAnswer>

/** Building all commands takes longer than most of them do. Where the first word names one, the others are not needed. */
function rowsFor(argv: readonly string[]): readonly CommandRow[] {
  const [first] = wordsIn(argv)
  const named = commandTable.filter((row) => row.name.split(' ')[0] === first)
  return named.length > 0 ? named : commandTable
}

function buildProgram(rows: readonly CommandRow[], parts: Parts, invoke: Invoke): Command {
  const program = new Command('countersign')
  program.description('An agent that acts for you, and never behind your back.')
  program.version(version, '--version', 'print the version')
  program.helpOption('-h, --help', 'show help')
  program.configureOutput({
    writeOut: (text) => {
      parts.help += text
    },
    writeErr: () => undefined,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  })
  program.exitOverride()
  for (const option of globalOptions) program.option(option.flags, option.summary)
  const nouns = new Map<string, Command>()
  for (const row of rows) addCommand(parentOf(program, nouns, row), row, parts, invoke)
  return program
}

function parentOf(program: Command, nouns: Map<string, Command>, row: CommandRow): Command {
  const [noun, verb] = row.name.split(' ')
  if (verb === undefined || noun === undefined) return program
  const known = nouns.get(noun)
  if (known) return known
  const made = program.command(noun).description(nounSummaries[noun] ?? noun)
  made.helpOption('-h, --help', 'show help')
  nouns.set(noun, made)
  return made
}

function addCommand(parent: Command, row: CommandRow, parts: Parts, invoke: Invoke): void {
  const command = parent.command(row.name.split(' ').at(-1) ?? row.name).description(row.summary)
  command.helpOption('-h, --help', 'show help')
  for (const argument of row.arguments) {
    const name = argument.many === true ? `${argument.name}...` : argument.name
    const made = command.createArgument(argument.required ? `<${name}>` : `[${name}]`, argument.summary)
    if (argument.choices) made.choices(argument.choices)
    command.addArgument(made)
  }
  for (const option of row.options) if (!isGlobal(option)) addOption(command, option)
  command.addHelpText(
    'after',
    `\nExamples:\n${row.examples.map((example) => `  ${example}`).join('\n')}\n\nOptions of every command: countersign --help\n`,
  )
  command.action(async () => {
    parts.answer = await invoke(row, command.args, command.opts(), command.optsWithGlobals())
  })
}

function addOption(command: Command, { flags, summary, repeats }: OptionRow): void {
  if (repeats !== true) command.option(flags, summary)
  else
    command.option(flags, summary, (value: string, before: string | undefined) =>
      before === undefined ? value : `${before}\0${value}`,
    )
}

/** Written in a row for its reader; the program knows it already. */
function isGlobal({ flags }: OptionRow): boolean {
  return globalOptions.some((option) => option.flags === flags)
}

function answerOf(error: CommanderError, parts: Parts, command: string): CommandAnswer {
  switch (error.code) {
    case 'commander.version':
      return done({ version }, version)
    case 'commander.helpDisplayed':
      return done({ help: parts.help }, parts.help)
    case 'commander.help':
      if (error.exitCode === 0) return done({ help: parts.help }, parts.help)
      return usage('A command is missing.', command)
    default:
      return usage(sentence(error.message), command)
  }
}

/** As much of the command line as names a command: what to ask for help about. */
function commandIn(argv: readonly string[]): string {
  const [first = '', second = ''] = wordsIn(argv)
  const full = `${first} ${second}`
  if (commandTable.some((row) => row.name === full)) return full
  return commandTable.some((row) => row.name === first || row.name.startsWith(`${first} `)) ? first : ''
}

function sentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.)?]$/.test(capital) ? capital : `${capital}.`
}

function flagsOf(values: OptionValues, json: boolean): GlobalFlags | string {
  const { wait, url } = values
  const waitMs = typeof wait === 'string' ? parseDuration(wait) : undefined
  if (wait !== undefined && waitMs === undefined)
    return `--wait ${String(wait)} is not a duration such as 90s or 10m.`
  return {
    json,
    plain: values.plain === true,
    colour: values.color !== false,
    quiet: values.quiet === true,
    verbose: values.verbose === true,
    yes: values.yes === true,
    url: typeof url === 'string' ? url : undefined,
    waitMs,
  }
}

/** Looked at before anything is parsed, so that a wrong command line is answered in JSON as well. */
function wantsOption(argv: readonly string[], names: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).some((word) => names.includes(word))
}
