/** Owns the table of the routes of tools. */
import { z } from 'zod'
import {
  SwitchReply,
  SwitchTool,
  ToolArguments,
  ToolCalled,
  ToolDetail,
  ToolGroupView,
  ToolView,
  TriedCall,
} from '../api-tools.ts'
import { define } from './define.ts'

const named = { params: z.object({ name: z.string().min(1).max(64) }) }

export const toolRoutes = {
  tools: define('get', '/v1/tools', 'Every tool, with its use over thirty days.', z.array(ToolView)),
  tool: define('get', '/v1/tools/{name}', 'One tool with its schema.', ToolDetail, named),
  toolGroups: define('get', '/v1/tool-groups', 'Tool groups.', z.array(ToolGroupView)),
  switchTool: define(
    'post',
    '/v1/tools/{name}/switch',
    'Enables or disables a tool or a group.',
    SwitchReply,
    { ...named, body: SwitchTool },
  ),
  tryTool: define(
    'post',
    '/v1/tools/{name}/try',
    'What a call would affect and need. Does nothing.',
    z.array(TriedCall),
    { ...named, body: ToolArguments },
  ),
  callTool: define(
    'post',
    '/v1/tools/{name}/call',
    'Makes a call directly, subject to policy and approval.',
    ToolCalled,
    { ...named, body: ToolArguments },
  ),
}
