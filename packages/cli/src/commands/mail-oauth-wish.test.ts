import { OAuthClient } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { oauthWishOf } from './mail-oauth-wish.ts'
import { mailProviders } from './mail-providers.ts'

const other = {
  oauth: 'other',
  clientId: 'mine',
  authorizationUrl: 'https://login.example.org/authorize',
  tokenUrl: 'https://login.example.org/token',
}

describe('the options of a sign-in', () => {
  it('are those of a known provider, with only the client to be named', () => {
    for (const [oauth, provider] of Object.entries(mailProviders)) {
      const wish = oauthWishOf({ oauth, clientId: 'mine' })
      if (typeof wish !== 'object') throw new Error(String(wish))
      const { asksSecret, ...client } = wish
      expect(OAuthClient.parse({ ...client, clientSecret: null })).toMatchObject(provider.oauth)
      expect(asksSecret).toBe(provider.hasSecret)
    }
  })

  it('can name any other provider by its addresses', () => {
    expect(oauthWishOf({ ...other, scope: ' mail  offline_access ', clientSecret: true })).toEqual({
      clientId: 'mine',
      authorizationUrl: other.authorizationUrl,
      tokenUrl: other.tokenUrl,
      deviceUrl: null,
      scopes: ['mail', 'offline_access'],
      redirectHost: '127.0.0.1',
      asksSecret: true,
    })
    expect(oauthWishOf({ ...other, tokenUrl: 'http://localhost:9/token' })).toMatchObject({
      asksSecret: false,
    })
    const issuer = 'https://example.org/mail'
    expect(oauthWishOf({ ...other, issuer })).toMatchObject({ issuer })
  })

  it('are none for an account with a password', () => {
    expect(oauthWishOf({ address: 'me@example.org' })).toBeUndefined()
  })

  it('are refused with a sentence where something is missing or cannot be', () => {
    expect(oauthWishOf({ clientId: 'mine' })).toContain('--oauth google')
    expect(oauthWishOf({ oauth: 'yahu', clientId: 'mine' })).toContain('not known')
    expect(oauthWishOf({ oauth: 'google' })).toContain('--client-id')
    expect(oauthWishOf({ oauth: 'other', clientId: 'mine' })).toContain('--token-url')
    expect(oauthWishOf({ ...other, tokenUrl: 'http://login.example.org/token' })).toContain('https')
    expect(oauthWishOf({ ...other, tokenUrl: 'https://me:pw@login.example.org/token' })).toContain('https')
    expect(oauthWishOf({ ...other, issuer: 'example.org' })).toContain('the name of the provider')
    expect(oauthWishOf({ oauth: 'google', clientId: 'mine', device: true })).toContain('no device codes')
  })
})
