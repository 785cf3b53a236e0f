import { describe, expect, it } from 'vitest'
import { topicsBelow } from './topics.ts'

const topics = topicsBelow('home/agent')

describe('the topics below a base', () => {
  it('answer each room where it is', () => {
    expect(topics.placeOf('home/agent/ask')).toBe('home/agent/answer')
    expect(topics.placeOf('home/agent/ask/kitchen')).toBe('home/agent/answer/kitchen')
    expect(topics.placeOf('home/agent/notice')).toBe('home/agent/notice')
  })

  it.each([
    '',
    'home/agent/answer',
    'home/agent/asked',
    'home/agent/ask/',
    'home/agent/ask/a/b',
    'home/agent/ask/+',
    'home/agent/ask/#',
    'home/agent/ask/a\u0000',
    `home/agent/ask/${'a'.repeat(101)}`,
    'homeassistant/switch/door/set',
    '$SYS/broker',
  ])('have no place for %j', (chat) => {
    expect(topics.placeOf(chat)).toBeUndefined()
  })
})
