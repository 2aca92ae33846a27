FROM golang:1.25 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -o /program .

FROM scratch
COPY --from=build /program /program
ENTRYPOINT ["/program"]
