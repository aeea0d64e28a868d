# Written by deepsite: proxy of the site.
export http_proxy=http://proxy.example:3128
export https_proxy=http://proxy.example:3128
export no_proxy=localhost,127.0.0.1,::1,mirror.example,.lab.example
