/** Owns the table of the routes of channels and of the people who write there. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  AdmitPeer,
  ChangePeer,
  ChannelKindView,
  ChannelName,
  ChannelStored,
  ChannelView,
  ChooseChannel,
  DeliveryView,
  PeerAdmitted,
  PeerView,
  SettleDelivery,
  StoreChannel,
} from '../api-channels.ts'
import { define } from './define.ts'

const named = { params: z.object({ name: ChannelName }) }

export const channelRoutes = {
  channelKinds: define(
    'get',
    '/v1/channel-kinds',
    'The kinds of channels, and what each needs.',
    z.array(ChannelKindView),
  ),
  channels: define('get', '/v1/channels', 'Channels and how they stand.', z.array(ChannelView)),
  storeChannel: define(
    'put',
    '/v1/channels/{name}',
    'Adds or changes a channel; its secrets go into the vault.',
    ChannelStored,
    { ...named, body: StoreChannel },
  ),
  chooseChannel: define(
    'patch',
    '/v1/channels/{name}',
    'Pauses a channel, or changes who may speak and what is told there.',
    ChannelStored,
    { ...named, body: ChooseChannel },
  ),
  removeChannel: define(
    'delete',
    '/v1/channels/{name}',
    'Removes a channel with its secrets and its people.',
    Receipt,
    named,
  ),
  testChannel: define(
    'post',
    '/v1/channels/{name}/test',
    'Sends a line to the operator’s own chats there.',
    z.strictObject({ chats: z.int() }),
    named,
  ),
  deliveries: define(
    'get',
    '/v1/channels/{name}/deliveries',
    'What was sent there and what became of it, the newest first.',
    z.array(DeliveryView),
    named,
  ),
  settleDelivery: define(
    'post',
    '/v1/deliveries/{id}',
    'Sends an answer that was held, or drops it.',
    Receipt,
    { params: z.object({ id: z.string().max(64) }), body: SettleDelivery },
  ),
  peers: define(
    'get',
    '/v1/peers',
    'People who write in channels, and who asks to be let in.',
    z.array(PeerView),
  ),
  admitPeer: define('post', '/v1/peers', 'Lets in whoever was shown the code in a chat.', PeerAdmitted, {
    body: AdmitPeer,
  }),
  changePeer: define('patch', '/v1/peers', 'Limits, blocks or removes a person.', Receipt, {
    body: ChangePeer,
  }),
}
