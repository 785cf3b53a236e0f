/** `countersign question`: what the agent or a server asks, and the answer to it. */
import { CountersignError, type QuestionReply, type ServerQuestion } from '@countersign/contract'
import { asking } from '../asking/asking.ts'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'
import { answersText, fieldText, presetText, readAnswer, serverQuestionText } from '../server-question.ts'
import { shortId } from '../short-id.ts'

export const list: Handler = async (context) => {
  const all = await (await context.gateway()).client.questions()
  const questions = all.filter((question) => question.state === 'open')
  if (questions.length === 0) return done({ questions }, 'No question is open.')
  const rows = questions.map((question) => [
    shortId(question.id),
    question.server ? `server ${line(question.server.server)}` : 'the agent',
    ago(question.createdAt, context.moment()),
    `${line(question.text)}${question.choices.length > 0 ? `  [${question.choices.map(line).join(' / ')}]` : ''}`,
  ])
  return done({ questions }, columns([['Question', 'From', 'Asked', 'Text'], ...rows]))
}

export const answer: Handler = async (context, [id = '', text], options) => {
  const { client } = await context.gateway()
  const question = (await client.questions()).find((each) => each.id === id)
  if (question?.server) {
    if (text !== undefined)
      throw new CountersignError('usage', 'A server asks for its fields, and not for a text.', {
        next: 'Name them with --field name=value, or leave the text out to be asked for each.',
      })
    return answerServer(context, { id, server: question.server }, fieldsOf(options['field']))
  }
  if (text === undefined)
    throw new CountersignError('usage', 'An answer is needed.', {
      next: `Give it: \`countersign question answer ${line(id)} "…"\`.`,
    })
  const { ledger } = await client.answer(id, { answer: text })
  return done({ question: id, ledger }, `Answered.${ledgerMark(ledger)}`)
}

/** A server is told so and ends its call as it does then. */
export const decline: Handler = async (context, [id = '']) => {
  const { ledger } = await (await context.gateway()).client.reply(id, { action: 'decline' })
  return done({ question: id, ledger }, `Declined.${ledgerMark(ledger)}`)
}

interface Asked {
  readonly id: string
  readonly server: ServerQuestion
}

type Values = Extract<QuestionReply, { action: 'accept' }>['values']

async function answerServer(context: Context, { id, server }: Asked, given: ReadonlyMap<string, string>) {
  const values = given.size > 0 ? named(server, given) : await typed(context, server)
  if (values === undefined) return done({ question: id }, 'Not sent. The question still waits.')
  const { ledger } = await (await context.gateway()).client.reply(id, { action: 'accept', values })
  return done({ question: id, ledger }, `Sent to the server ${line(server.server)}.${ledgerMark(ledger)}`)
}

function fieldsOf(value: unknown): ReadonlyMap<string, string> {
  const pairs = typeof value === 'string' ? value.split('\0') : []
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new CountersignError('usage', `${line(pair)} is not name=value.`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

function named({ form }: ServerQuestion, given: ReadonlyMap<string, string>): Values {
  const stray = [...given.keys()].find((key) => form.fields.every(({ name }) => name !== key))
  if (stray !== undefined) throw new CountersignError('usage', `The question has no field ${line(stray)}.`)
  return Object.fromEntries(
    form.fields.flatMap((field) => {
      const read = readAnswer(field, given.get(field.name) ?? '')
      if (read.kind === 'problem')
        throw new CountersignError('usage', `The answer does not fit: ${read.problem}`)
      return read.value === undefined ? [] : [[field.name, read.value] as const]
    }),
  )
}

async function typed(context: Context, server: ServerQuestion): Promise<Values | undefined> {
  const ask = await asking(context)
  context.note(serverQuestionText(server))
  const values: Values = {}
  for (const field of server.form.fields) {
    const preset = presetText(field)
    const told = await ask.text({
      message: `│ ${fieldText(field)}`,
      instead: `Give --field ${line(field.name)}=….`,
      ...(preset === undefined ? {} : { empty: preset }),
      problem: (text) => {
        const read = readAnswer(field, text)
        return read.kind === 'problem' ? `│ ${read.problem}` : undefined
      },
    })
    if (told.kind === 'left') return undefined
    const read = readAnswer(field, told.value)
    if (read.kind === 'value' && read.value !== undefined) values[field.name] = read.value
  }
  const message = `${answersText(server.form.fields, values)}\nSend this to the server ${line(server.server)}?`
  const isSent = await ask.agreement({
    message,
    instead: 'Give --field.',
    otherwise: 'The question still waits.',
  })
  return isSent ? values : undefined
}
