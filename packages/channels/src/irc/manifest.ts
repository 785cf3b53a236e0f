/** Owns what the channel for IRC says about itself. */
import { z } from 'zod'
import type { ChannelManifest } from '../frame/manifest.ts'

const Nick = z
  .string()
  .max(30)
  .regex(/^[A-Za-z[\]\\`_^{|}][A-Za-z0-9[\]\\`_^{|}-]*$/, 'This is no nickname of IRC.')

const ChannelName = z
  .string()
  .max(50)
  .regex(/^[#&+!][^\s,:\p{Cc}]+$/u, 'This is no channel of IRC.')

export const IrcSettings = z.strictObject({
  host: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9.:-]+$/),
  port: z.int().min(1).max(65_535).default(6_697),
  /** Without it everybody on the way reads along; secrets are then sent to this computer only. */
  tls: z.boolean().default(true),
  nick: Nick,
  /** The name by which the network knows our account, where there is one. */
  account: z
    .string()
    .max(100)
    .regex(/^[^\s\0]+$/)
    .optional(),
  /** Where we join. Private messages need none. */
  channels: z.array(ChannelName).max(20).default([]),
  /** Between two lines after the first few. Networks throw out whoever writes faster. */
  pauseMs: z.int().min(0).max(10_000).default(1_500),
})
export type IrcSettings = z.infer<typeof IrcSettings>

/** A line is 512 bytes, with our name, the longest name of a channel and the command before the text. */
const longestText = 340

export const ircManifest: ChannelManifest = {
  kind: 'irc',
  title: 'IRC',
  about:
    'Talks on an IRC network, in private and in the channels that you name; what is said while it is away is lost, and nothing there shows for sure who wrote.',
  steps: [
    'Choose a nickname, and register it with the services of the network if it has any.',
    'Enter the server, the nickname and the channels to join.',
    'Enter the password of the account, so that nobody else can be your assistant there.',
  ],
  settings: IrcSettings,
  secrets: [
    { name: 'password', label: 'The password of the account on the network (SASL)', optional: true },
    { name: 'serverPassword', label: 'The password of the server, where it asks for one', optional: true },
  ],
  text: { most: longestText, unit: 'bytes' },
  files: null,
  can: { edit: false, typing: false, buttons: false, groups: true },
  sendsOnce: false,
  proves: 'nothing',
  decides: 0,
  web: false,
  direction: 'both',
}
