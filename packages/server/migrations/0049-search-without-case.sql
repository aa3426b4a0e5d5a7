-- What members are searched by has one small sigma; upper case tells nothing of the two.
update memberships set search_key = replace(search_key, 'ς', 'σ') where search_key like '%ς%';
-- Addresses are looked for without regard to case, in accounts_email_key.
drop index accounts_email;
