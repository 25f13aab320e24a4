-- Kit by its login: what renews the access token in `secret` (sealed), and when that one ends. Null: an API key.
alter table data_integrations add column refresh_secret text, add column expires_at timestamptz;
comment on table data_integrations is 'newsletter tools: sealed key or tokens, account name there, tag or audience | team | until disconnected, or with the creator';

alter table oauth_attempts drop constraint oauth_attempts_login_check;
alter table oauth_attempts add constraint oauth_attempts_login_check check (login in ('instagram', 'facebook', 'kit'));
comment on table oauth_attempts is 'logins at Meta and Kit in progress | team | an hour after they end';

-- `left`: the tool refused them, and the creator leaves it at that.
alter table integration_contacts drop constraint integration_contacts_state_check;
alter table integration_contacts add constraint integration_contacts_state_check check (state in ('waiting', 'sent', 'failed', 'removing', 'left')) not valid;
