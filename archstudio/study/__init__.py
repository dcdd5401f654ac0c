"""Human baselines: people work on the benchmarks' items under the protocols that models ran under.

From the protocol to the tables, each step in a room of its own:

* `protocol`: the description a researcher writes (`read_protocol`); `pack`: frozen into one `.study` file
  (`freeze`, `open_study`), the answers apart; `conditions`, `visibility`: what each condition allows and shows;
* `session`: the engine that a window drives; `log`: the durable, hash-chained events it leaves; `replay`: the graphs
  and grades made again from them;
* `collect`: session files of many machines put together as `records`; `simulated`: participants for tests;
* `report`: figures, pages and exports, from `records` alone.

How a window runs a session (every call that returns is recorded; `LogFailed` means it did not happen):

    pack = open_study(path)                               # UnusableFile: damaged, altered, or newer
    folder = sessions_folder(pack)
    step = next_step(pack, folder, clock.wall_ms())       # start | resume | restart | block, by the study's policy
    session = Session.start(pack, folder, Start(new_id(), number=3), device={"screen": "2560x1440", "scale": 1.5})
    session = Session.resume(pack, step.earlier.path)     # SessionBusy: open in another window
    session = Session.restart(pack, step.earlier)         # the same person, condition and order, from the beginning
    # session.stage is consent, questionnaire, tutorial, items, debrief or ended

    code = session.agree(pack.consent_points)             # show it once; or session.decline()
    session.answer_questionnaire({field.name: …})         # fields: pack.questionnaire; BadAnswer names the field
    session.begin_items()
    while desk := session.present():                      # GraphDesk or QuestionDesk; the clock stands still
        session.painted()                                 # fully on the screen: it runs
        ...
        session.touched()                                 # on any input; cheap
        session.pause("break"); session.resume_clock()    # hide the item in between
        session.focus(False); session.focus(True)
        session.flag("unclear", text); session.seen_before(True); session.text_opened()
        session.tick()                                    # every second: active time, time left, timed_out
    session.finish()                                      # after the debrief; or quit() at any time, or withdraw()
    session.close()                                       # always, also to go on later

A `GraphDesk` keeps its own copy of the graph. The window opens `desk.graph` (its plan starts from `desk.turn_start`)
and reports every edit its history applies: `desk.edited(edit)`, `desk.edited(inverse, "undo")`, `…, "redo"`. Then
`desk.preview()` is the plan that would be sent, `desk.audit()` and `desk.submit(why)` return a `Feedback` that holds
only what the condition may tell. When `feedback.locked` the item is done; else editing goes on from the same graph.

A `QuestionDesk` has `order` and `letters` (as this person sees them): `desk.answer(candidate, probabilities, why)`.
Where `desk.reveals`, `desk.reveal()` follows, then `desk.done(lesson)`; otherwise the answer locks the item.

`session.visibility` is the one value that says what widgets may show. `session.state` is everything so far, and
`session.fault` says why editing steps wait in memory when the disk refuses them.
"""
