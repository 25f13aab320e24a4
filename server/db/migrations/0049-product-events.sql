-- What happens is told, and people are kept, by the statements that write it; server/events/product-events.ts.
drop trigger tell_new on interactions;
drop trigger tell_new on people;
drop trigger tell_new on clicks;
drop trigger tell_new on consents;
drop trigger tell_finished on deliveries;
drop trigger see_people on interactions;
drop trigger see_written_to on own_messages;
drop trigger keep_erased_out on conversations;
drop trigger consent_post on consents;
drop trigger compare_anew on automations;
drop trigger forget_name_key on people;

drop function tell_interactions(), tell_contacts(), tell_clicks(), tell_consents(), tell_deliveries(), to_utc(timestamptz),
  see_people(), see_written_to(), keep_erased_out_of_conversations(), consent_post(), compare_anew(), forget_name_key();

-- People come by statements of their own now, not by a trigger of interactions that asked already.
drop trigger creators_exist on people;
create trigger creators_exist after insert on people
  referencing new table as new_rows for each statement execute function creators_exist();
