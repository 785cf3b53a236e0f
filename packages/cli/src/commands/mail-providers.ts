/** Owns what is documented of providers of mail that sign in by OAuth2: their servers, addresses and scopes. */
import type { OAuthClient } from '@countersign/contract'

export interface MailProvider {
  readonly imap: string
  readonly smtp: string
  /** The provider gives a secret also to programs on people's computers, and wants to see it. */
  readonly hasSecret: boolean
  readonly oauth: Omit<OAuthClient, 'clientId' | 'clientSecret'>
}

const microsoft = 'https://login.microsoftonline.com/common/oauth2/v2.0'

export const mailProviders: Readonly<Record<string, MailProvider>> = {
  // https://developers.google.com/identity/protocols/oauth2/native-app and /workspace/gmail/imap/xoauth2-protocol.
  // Its device codes are for other scopes than mail.
  google: {
    imap: 'imap.gmail.com',
    smtp: 'smtp.gmail.com',
    hasSecret: true,
    oauth: {
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      deviceUrl: null,
      scopes: ['https://mail.google.com/'],
      redirectHost: '127.0.0.1',
    },
  },
  // https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth.
  // Only localhost can be registered on its pages.
  microsoft: {
    imap: 'outlook.office365.com',
    smtp: 'smtp.office365.com:587',
    hasSecret: false,
    oauth: {
      authorizationUrl: `${microsoft}/authorize`,
      tokenUrl: `${microsoft}/token`,
      deviceUrl: `${microsoft}/devicecode`,
      scopes: [
        'https://outlook.office.com/IMAP.AccessAsUser.All',
        'https://outlook.office.com/SMTP.Send',
        'offline_access',
      ],
      redirectHost: 'localhost',
    },
  },
}
