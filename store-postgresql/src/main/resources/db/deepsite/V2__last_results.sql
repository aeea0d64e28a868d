-- What the last verify and the last look for drift found. JSON as text: nothing looks into it.
CREATE TABLE last_result (
    site    text NOT NULL,
    name    text NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (site, name)
);
