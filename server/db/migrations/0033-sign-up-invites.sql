-- Where signing up is not open, the operator invites an address: `npm run admin -- invite EMAIL`.
alter table emailed_links drop constraint emailed_links_purpose_check;
alter table emailed_links
  -- Of a link to sign up only: nobody has the address yet.
  add column email text,
  add check (purpose in ('confirm_email', 'reset_password', 'sign_up')),
  add check ((purpose = 'sign_up') = (email is not null));
