/** Owns whether somebody is still there under the nickname by which we know them. A nickname is lent to whoever comes. */
import { composeIrcLine, maskText, readMask } from './line.ts'
import type { IrcQuestions } from './question.ts'

export type IrcPresence = 'there' | 'gone' | 'no connection'

/** `there` too where the server does not know the question: then only the nickname tells. */
export async function presenceOf(questions: IrcQuestions, mask: string): Promise<IrcPresence> {
  const wanted = readMask(mask)
  if (!wanted) return 'gone'
  let answer: string | undefined
  const ending = await questions.ask([composeIrcLine('USERHOST', wanted.nick)], ({ command, params }) => {
    if (command === '302') answer = params.at(-1) ?? ''
    return command === '302' || (command === '421' && params[1] === 'USERHOST')
  })
  if (ending !== 'answered') return 'no connection'
  if (answer === undefined) return 'there'
  return peopleIn(answer).includes(maskText(wanted)) ? 'there' : 'gone'
}

/** `ana=+user@host`, with a star for who runs the network and a minus for who is away. */
function peopleIn(answer: string): string[] {
  return answer.split(' ').flatMap((one) => {
    const person = readMask(one.replace(/^([^=*]+)\*?=[+-]/, '$1!'))
    return person ? [maskText(person)] : []
  })
}
