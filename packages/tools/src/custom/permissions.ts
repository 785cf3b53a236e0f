/**
 * Owns which tools a program may call: what touches nothing always, what its permissions open, and some never. A name
 * that is not here is another custom tool, so every built-in tool must have its place here.
 */

export const permissions = ['network', 'filesystem', 'database', 'shell', 'email', 'scheduling'] as const
export type Permission = (typeof permissions)[number]

export type ToolAccess = Permission | 'always' | 'never'

export function accessOf(tool: string): ToolAccess | undefined {
  if (tool.startsWith('restore_') || tool === 'allow_spending') return 'never'
  // A tool of a server, which may be anywhere.
  if (tool.includes('__')) return 'network'
  return accessByTool.get(tool)
}

/** Why a program with these permissions may not call a tool; null if it may. */
export function refusalOf(granted: readonly Permission[]): (tool: string) => string | null {
  return (tool) => {
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(tool))
      return `There is no tool named ${JSON.stringify(tool.slice(0, 80))}.`
    const access = accessOf(tool)
    if (access === 'never') return `A program may not call ${tool}.`
    if (access === undefined || access === 'always' || granted.includes(access)) return null
    return `${tool} needs the permission ${access}, which this tool was not given.`
  }
}

/** The built-in tools that a program with these permissions may call. */
export function callableWith(granted: readonly Permission[]): string[] {
  return [...accessByTool]
    .filter(([, access]) => access === 'always' || granted.some((permission) => permission === access))
    .map(([tool]) => tool)
    .toSorted()
}

const table: Readonly<Record<ToolAccess, string>> = {
  network: `http_request json_api fetch_web_page search_web get_weather get_weather_forecast download_file browser_navigate
    browser_click browser_fill browser_evaluate browser_extract_html browser_extract_text browser_screenshot translate_text
    batch_translate detect_language extract_structured_data extract_entities extract_table_data summarize_text analyze_image generate_image edit_image image_variation text_to_speech speech_to_text translate_audio create_embedding similarity_score`,
  filesystem: `read_file parse_receipt write_file edit_file write_binary_file list_directory search_files file_info delete_file copy_file move_file
    create_folder read_document read_pdf pdf_info create_pdf resize_image audio_info split_audio`,
  database: `add_task batch_add_tasks list_tasks complete_task update_task delete_task add_bookmark
    batch_add_bookmarks list_bookmarks update_bookmark delete_bookmark add_note batch_add_notes list_notes update_note delete_note
    add_calendar_event batch_add_calendar_events list_calendar_events update_calendar_event delete_calendar_event add_contact
    batch_add_contacts list_contacts update_contact delete_contact add_expense
    batch_add_expenses query_expenses expense_summary update_expense delete_expense list_custom_tables describe_custom_table
    create_custom_table add_custom_column delete_custom_table add_custom_record batch_add_custom_records list_custom_records
    search_custom_records get_custom_record update_custom_record delete_custom_record about_operator remember batch_remember recall
    forget list_memories boost_memory memory_stats search_agent_history create_goal list_goals update_goal
    decompose_goal get_next_actions complete_step get_goal_details goal_stats add_goal_note save_learning create_plan
    add_plan_step update_plan_step delete_plan list_plans get_plan_details list_agent_tasks get_agent_task upsert_vectors
    delete_vectors list_vector_collections create_vector_collection`,
  shell: `execute_shell execute_javascript execute_python compile_code run_coding_task list_coding_agents get_task_result list_task_results run_cli_tool list_cli_tools install_cli_tool package_manager git_status git_diff git_log
    git_commit git_add git_branch git_checkout`,
  email: 'send_email list_emails read_email delete_email search_emails reply_email',
  scheduling: `create_scheduled_task list_scheduled_tasks update_scheduled_task delete_scheduled_task
    get_task_history trigger_task execute_plan pause_plan resume_plan start_agent_task cancel_agent_task`,
  always: `search_tools get_tool_help list_custom_tools get_current_datetime get_current_time date_diff date_add
    add_to_date format_date convert_time_zone calculate calculate_percentage calculate_statistics statistics
    convert_units convert_length convert_weight convert_temperature convert_color convert_number_base generate_uuid
    generate_password generate_random_string random_number roll_dice pick_random hash_text encode_decode count_text
    count_words extract_from_text extract_emails extract_urls extract_numbers find_in_text replace_text split_text
    join_text wrap_text truncate_text slugify_text change_case remove_diacritics transform_text compare_text regex
    test_regex format_json parse_csv generate_csv create_table array_operations sort_list deduplicate validate
    validate_email validate_url system_info list_languages`,
  // Each is of another computer, and most need a device of the operator's every time.
  never: `propose_skill fetch_server_skill read_proposed_skill review_proposed_skill remove_proposed_skill add_skill review_skill switch_skill pin_skill remove_skill use_skill read_skill_file run_skill_script add_server look_at_server accept_server_tools switch_server pin_server remove_server call_server_tool add_plugin read_plugin_file review_plugin device_list_files device_read_file device_write_file device_delete_file device_restore_file device_run_program
    device_open_address device_capture_screen device_take_picture device_read_clipboard device_write_clipboard device_notify
    device_location read_web semantic_search list_chats send_chat_message export_expenses take_over_changes create_tool delete_custom_tool toggle_custom_tool run_custom_tool ask_operator use_tool
    batch_use_tool remove_folder write_upload send_file check_email_account look_for_new_emails read_emails_for_search list_synced_entries fetch_synced_entries push_synced_entries restart_agent_task git_undo_commit git_restore_branch git_restore_index`,
}

const accessByTool: ReadonlyMap<string, ToolAccess> = new Map(
  (Object.entries(table) as [ToolAccess, string][]).flatMap(([access, names]) =>
    names.split(/\s+/).map((name): [string, ToolAccess] => [name, access]),
  ),
)
