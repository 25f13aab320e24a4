-- Read by the postgres image when it makes the database. The program's login owns that database and makes the program's two
-- roles, and is no superuser. The superuser has no password any more, and so gets in from inside its own container only.
\getenv password POSTGRES_PASSWORD
create role creator_hq login createrole password :'password';
alter database creator_hq owner to creator_hq;
alter role postgres password null;
