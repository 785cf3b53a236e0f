import { stripVTControlCharacters } from 'node:util'
import { CountersignError, type Onboarding, type OnboardingSummary } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Gateway } from '../connection.ts'
import { createContext, type OptionValues } from '../context.ts'
import {
  channelView,
  deliveryView,
  type FakeChannels,
  fakeChannels,
  kindView,
  peerView,
} from '../testing/channels.ts'
import { fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { typeLines } from '../testing/typed-lines.ts'
import { reach } from './onboard-reach.ts'

let home: TestHome
let channels: FakeChannels
beforeEach(() => {
  home = testHome()
  channels = fakeChannels()
})
afterEach(() => home.remove())

type StepState = OnboardingSummary['steps'][number]['state']

/** What is typed goes to a gateway that knows this step only. `run` is another command of the program. */
async function walk(
  lines: readonly string[],
  run: (name: string, args: readonly string[], options: OptionValues) => boolean = () => true,
) {
  let state: StepState = 'todo'
  const told: unknown[] = []
  const view = (): Onboarding =>
    ({
      steps: [
        {
          id: 'reach',
          title: 'Reach me',
          about: '',
          state,
          skippable: true,
          at: null,
          data: { ways: [], arrived: null },
        },
      ],
      settled: 0,
      total: 8,
      next: null,
    }) as Onboarding
  const client = fakeClient((request) => {
    const { path, method, body } = request
    if (!path.startsWith('/v1/onboarding')) return channels.answer(request)
    if (method === 'GET') return view()
    told.push([path.slice('/v1/onboarding/'.length), body])
    state = path.endsWith('/skip') ? 'skipped' : 'done'
    return view()
  })
  const host = testHost({ home, terminal: true, values: { NO_COLOR: '1', TERM: 'dumb' } })
  Object.assign(host.input, { setRawMode: () => undefined })
  const typing = typeLines(host, lines)
  const ran: unknown[] = []
  const settle = (next: StepState) => {
    state = next
  }
  try {
    const ended = await reach(
      {
        context: createContext({ ...host, wait: async () => undefined }, usualFlags),
        gateway: { client } as Gateway,
        run: async (name, args, options = {}) => {
          ran.push([name, args, options])
          const done = run(name, args, options)
          if (name === 'open' && done) settle('done')
          return done
        },
      },
      view(),
    )
    return { ended, told, ran, text: stripVTControlCharacters(host.written()) }
  } finally {
    typing.stop()
  }
}

const arrived = (name: string) => ['reach', { arrived: { kind: 'channel', name } }]
const sends = () => {
  const answer = channels.answer
  return Object.assign(channels, {
    answer(request: Parameters<FakeChannels['answer']>[0]) {
      if (request.path.endsWith('/test'))
        channels.deliveries.unshift(deliveryView(`dl_${channels.deliveries.length}`, { kind: 'test' }))
      return answer(request)
    },
  })
}

describe('a message that reaches the operator', () => {
  test('Enter goes on without one', async () => {
    const { ended, told, ran } = await walk([''])
    expect(ended).toMatchObject({ kind: 'settled' })
    expect(told).toEqual([['reach/skip', {}]])
    expect(ran).toEqual([])
  })

  test('a chat is added by its command, the operator lets themselves in, and says that the test arrived', async () => {
    sends()
    const { told, ran, text } = await walk(['a', '1', 'k7q2-mxrp', 'y'], (_name, [name = '']) => {
      channels.channels.push(channelView(name))
      return true
    })
    expect(ran).toEqual([['channel add', ['telegram'], { kind: 'telegram' }]])
    expect(text).toContain('Write anything to helper_bot from your own account.')
    expect(channels.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/peers',
      'POST /v1/channels/chat/test',
    ])
    expect(channels.asked[0]?.body).toMatchObject({ code: 'K7Q2MXRP', role: 'operator' })
    expect(told).toEqual([arrived('chat')])
  })

  test('a channel that knows the operator is tested at once, and again where nothing came', async () => {
    sends()
    channels.channels.push(channelView('chat'))
    channels.peers.push(peerView('1', { role: 'operator' }))
    const { told } = await walk(['2', 'n', 'y'])
    expect(channels.asked.map(({ path }) => path)).toEqual([
      '/v1/channels/chat/test',
      '/v1/channels/chat/test',
    ])
    expect(told).toEqual([arrived('chat')])
  })

  test('a wrong code lets nobody in and is asked for again', async () => {
    sends()
    channels.channels.push(channelView('chat'))
    const { told, text } = await walk(['2', 'AAAA-AAAA', 'nonsense', 'k7q2mxrp', 'y'])
    expect(text).toContain('Nobody who asks was shown this code.')
    expect(told).toEqual([arrived('chat')])
  })

  test('what the platform refused is said, and is not taken for arrived', async () => {
    channels.channels.push(channelView('chat'))
    channels.peers.push(peerView('1', { role: 'operator' }))
    const answer = channels.answer
    channels.answer = (request) => {
      if (request.path.endsWith('/test'))
        channels.deliveries.unshift(
          deliveryView('dl_1', {
            kind: 'test',
            state: 'refused',
            problem: 'The person has blocked the bot.',
          }),
        )
      return answer(request)
    }
    const { told, text } = await walk(['2', 's'])
    expect(text).toContain('The person has blocked the bot.')
    expect(told).toEqual([['reach/skip', {}]])
  })

  test('a platform on which nobody can be the operator is not offered, one that takes notices is', async () => {
    channels.kinds = [
      kindView('irc', { bindable: false }),
      kindView('ntfy', { direction: 'out', bindable: false }),
    ]
    channels.channels.push(channelView('telegram'))
    const { ran } = await walk(['a', '1', 's'], () => {
      throw new CountersignError('usage', 'The platform rejected it.')
    })
    expect(ran).toEqual([['channel add', ['ntfy'], { kind: 'ntfy' }]])
  })

  test('a phone is let in by its picture and says itself that it arrived', async () => {
    const { ended, told, ran } = await walk(['p', ''])
    expect(ran).toEqual([['open', ['setup/reach'], { phone: true }]])
    expect(ended).toMatchObject({ kind: 'settled' })
    expect(told).toEqual([])
  })

  test('a phone that was not let in brings the question back', async () => {
    const { told } = await walk(['p', 's'], () => false)
    expect(told).toEqual([['reach/skip', {}]])
  })
})
