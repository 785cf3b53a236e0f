import { describe, expect, it } from 'vitest'
import { isNearby } from './address.ts'

describe('a provider’s address', () => {
  it.each([
    'http://localhost:11434/api',
    'http://LOCALHOST./v1',
    'http://127.0.0.1:8080/v1',
    'http://127.1/v1',
    'http://2130706433/v1',
    'http://10.1.2.3/v1',
    'http://172.31.0.1/v1',
    'http://192.168.0.10:1234/v1',
    'http://100.64.0.1/v1',
    'http://[::1]:8080/v1',
    'http://[fd00::1]/v1',
    'http://[::ffff:127.0.0.1]/v1',
    'http://studio.local:1234/v1',
    'http://host.docker.internal:11434/api',
  ])('is near: %s', (url) => {
    expect(isNearby(url)).toBe(true)
  })

  it.each([
    'https://api.openai.com/v1',
    'http://127.0.0.1.example.com/v1',
    'http://localhost.example.com/v1',
    'http://local.example/v1',
    'http://studio.local.example.com/v1',
    'http://172.32.0.1/v1',
    'http://172.15.255.255/v1',
    'http://192.169.0.1/v1',
    'http://11.0.0.1/v1',
    'http://100.128.0.1/v1',
    'http://[2001:db8::1]/v1',
    'http://[::ffff:8.8.8.8]/v1',
    'http://127.0.0.1@example.com/v1',
    'not an address',
    '',
  ])('is not near: %s', (url) => {
    expect(isNearby(url)).toBe(false)
  })
})
